import type { Labels, Sample } from '../exposition/exposition.ts';
import { seriesKey, withoutLabels } from './label-key.ts';
import type { Source } from './profile.ts';

/** The samples that a source means: `where` kept, what is not measured and copies of one fact left out. */
export function selectSamples(source: Source, samples: readonly Sample[]): readonly Sample[] {
  const { where, off, pickOne } = source;
  let kept = samples;
  if (where !== undefined) kept = kept.filter(({ labels }) => isWhere(where, labels));
  if (off !== undefined) kept = kept.filter(({ value }) => value !== off);
  return pickOne === undefined || kept.length < 2 ? kept : pickOneOfEach(pickOne, kept);
}

function isWhere(where: NonNullable<Source['where']>, labels: Labels): boolean {
  return Object.entries(where).every(([name, wanted]) => {
    const value = labels[name] ?? '';
    return typeof wanted === 'string' ? value === wanted : wanted.includes(value);
  });
}

function pickOneOfEach(names: readonly string[], samples: readonly Sample[]): readonly Sample[] {
  const copies = new Set(names);
  const picked = new Map<string, Sample>();
  for (const sample of samples) {
    const key = seriesKey(withoutLabels(sample.labels, copies));
    const before = picked.get(key);
    if (before === undefined || isBefore(names, sample.labels, before.labels)) picked.set(key, sample);
  }
  return [...picked.values()];
}

function isBefore(names: readonly string[], one: Labels, other: Labels): boolean {
  for (const name of names) {
    const order = compareValues(one[name] ?? '', other[name] ?? '');
    if (order !== 0) return order < 0;
  }
  return false;
}

/** Ranks are numbers in text: "10" comes after "9". */
function compareValues(one: string, other: string): number {
  const byNumber = Number(one) - Number(other);
  if (byNumber !== 0 && !Number.isNaN(byNumber)) return byNumber;
  return one < other ? -1 : Number(one > other);
}
