import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import { labelKey, withoutLabels } from './label-key.ts';
import type { EngineProfile } from './profile.ts';
import type { Histogram, Reading, Series } from './reading.ts';

/** Of a histogram over ranks only count and sum are kept: they add up whatever the bounds. */
export type Combined = number | { readonly count: number; readonly sum: number | undefined };

/** What tells one rank's or model's series from another's, and is combined away. */
const COMBINED_AWAY: ReadonlySet<string> = new Set(['engine', 'model_name']);

/**
 * One engine's value of a family out of its ranks' (and models'), as the catalogue says. Keyed by the family's own
 * labels as they stand on a page, `''` without any. NaN is absent.
 */
export function combine(family: CatalogFamily, series: readonly Series[]): ReadonlyMap<string, Combined> {
  const groups = new Map<string, Series[]>();
  for (const one of family.ranks === 'newest' ? newestOf(series) : series) {
    if (typeof one.value === 'number' && Number.isNaN(one.value)) continue;
    const key = labelKey(withoutLabels(one.labels, COMBINED_AWAY));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  }
  const combined = new Map<string, Combined>();
  for (const [key, group] of groups) {
    const histograms = group.flatMap(({ value }) => (typeof value === 'number' ? [] : [value]));
    const numbers = group.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
    combined.set(key, histograms.length > 0 ? addUp(histograms) : overRanks(family, numbers));
  }
  return combined;
}

/** Every family of a reading combined; the key is the family's name with its own labels behind it. */
export function combined(profile: EngineProfile, reading: Reading): Readonly<Record<string, Combined>> {
  const values: Record<string, Combined> = {};
  for (const name of Object.keys(profile.families)) {
    const family = familyOf(name);
    const series = reading.series.get(name);
    if (family === undefined || series === undefined) continue;
    for (const [key, value] of combine(family, series)) values[name + key] = value;
  }
  return values;
}

/** The one figure of a family without own labels, or the sum over its label values. Absent when there is none. */
export function combinedNumber(name: string, reading: Reading): number | undefined {
  const family = familyOf(name);
  const series = reading.series.get(name);
  if (family === undefined || series === undefined) return undefined;
  // A sum over sums is one sum, and without own labels there is one group: no need to tell groups apart.
  if (family.ranks === 'sum' || (family.labels.length === 0 && family.ranks !== 'newest')) {
    const numbers = numbersOf(series);
    return numbers.length === 0 ? undefined : overRanks(family, numbers);
  }
  let total: number | undefined;
  for (const value of combine(family, series).values()) {
    if (typeof value === 'number') total = (total ?? 0) + value;
  }
  return total;
}

function numbersOf(series: readonly Series[]): readonly number[] {
  const numbers: number[] = [];
  for (const { value } of series) {
    if (typeof value === 'number' && !Number.isNaN(value)) numbers.push(value);
  }
  return numbers;
}

function overRanks({ ranks }: CatalogFamily, values: readonly number[]): number {
  const total = values.reduce((sum, value) => sum + value, 0);
  if (ranks === 'sum') return total;
  if (ranks === 'mean') return total / values.length;
  // Not as arguments: a page may have more series than a call can take.
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

function addUp(histograms: readonly Histogram[]): Combined {
  const sums = histograms.map(({ sum }) => sum);
  return {
    count: histograms.reduce((total, { count }) => total + count, 0),
    sum: sums.reduce((total, sum) => (total === undefined || sum === undefined ? undefined : total + sum), 0),
  };
}

function newestOf(series: readonly Series[]): readonly Series[] {
  let newest: Series | undefined;
  let at = Number.NEGATIVE_INFINITY;
  for (const one of series) {
    const value = Number(one.value);
    if (Number.isNaN(value) || (newest !== undefined && value <= at)) continue;
    newest = one;
    at = value;
  }
  return newest === undefined ? [] : [newest];
}
