import type { Labels, Sample } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';

interface Group {
  readonly family: WrittenFamily;
  readonly samples: Sample[];
  readonly seen: Set<string>;
}

/**
 * One family a name and one sample a series, over any number of engines. Prometheus drops a series that comes
 * twice and warns: the first stands here already.
 */
export function mergeFamilies(families: Iterable<WrittenFamily>): readonly WrittenFamily[] {
  const groups = new Map<string, Group>();
  for (const family of families) {
    const group = groups.get(family.name) ?? { family, samples: [], seen: new Set<string>() };
    groups.set(family.name, group);
    for (const sample of family.samples) {
      const key = seriesKey(sample);
      if (group.seen.has(key)) continue;
      group.seen.add(key);
      group.samples.push(sample);
    }
  }
  return [...groups.values()].map(({ family, samples }) => ({ ...family, samples }));
}

export function seriesCount(families: readonly WrittenFamily[]): number {
  return families.reduce((count, { samples }) => count + samples.length, 0);
}

/** A label with an empty value is no label to Prometheus. */
function seriesKey({ name, labels }: { readonly name: string; readonly labels: Labels }): string {
  const pairs = Object.entries(labels).filter(([, value]) => value !== '');
  return JSON.stringify([name, ...pairs.sort(([one], [other]) => (one < other ? -1 : 1)).flat()]);
}
