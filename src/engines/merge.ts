import type { RankRule } from '../catalog/family.ts';
import { addHistograms } from './histogram.ts';
import { seriesKey } from './label-key.ts';
import type { Histogram, Series } from './reading.ts';

type Value = number | Histogram;

/**
 * Two values of one rank that differ only in labels the contract does not know (`is_streaming`). Counts add up; of
 * everything else the larger is the true one or the pressing one. A NaN says nothing and gives way.
 */
export function mergeValues(rule: RankRule, one: Value, other: Value): Value {
  if (typeof one !== 'number' || typeof other !== 'number') {
    if (typeof one === 'number' || typeof other === 'number') return one;
    // Unequal bounds are never summed: the first stands.
    return addHistograms(one, other) ?? one;
  }
  if (Number.isNaN(one)) return other;
  if (Number.isNaN(other)) return one;
  return rule === 'sum' ? one + other : Math.max(one, other);
}

/** One series per label set, in order of first appearance. */
export function mergeSeries(rule: RankRule, all: readonly Series[]): readonly Series[] {
  if (all.length < 2) return all;
  const merged = new Map<string, Series>();
  for (const series of all) {
    const key = seriesKey(series.labels);
    const before = merged.get(key);
    merged.set(
      key,
      before === undefined
        ? series
        : { labels: before.labels, value: mergeValues(rule, before.value, series.value) },
    );
  }
  return [...merged.values()];
}
