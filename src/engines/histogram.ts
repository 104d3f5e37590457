import type { Histogram } from './reading.ts';

/** What of one histogram stands on the page, in whatever order. */
export interface HistogramParts {
  readonly buckets: { readonly le: number; readonly count: number }[];
  sum: number | undefined;
  count: number | undefined;
}

/**
 * The histogram of these parts. A hand-made page may lack `+Inf`, `_count` or `_sum`; without the first two nobody
 * knows how many observations there were, and the histogram is absent.
 */
export function histogramOf(parts: HistogramParts): Histogram | undefined {
  const buckets = parts.buckets
    .filter(({ le, count }) => !Number.isNaN(le) && !Number.isNaN(count))
    .sort((one, other) => one.le - other.le);
  const last = buckets.at(-1);
  const atInfinity = last?.le === Number.POSITIVE_INFINITY ? last.count : undefined;
  const count = parts.count ?? atInfinity;
  if (count === undefined || Number.isNaN(count)) return undefined;
  if (atInfinity === undefined) buckets.push({ le: Number.POSITIVE_INFINITY, count });
  return { buckets, sum: parts.sum, count };
}

export function emptyHistogram(bounds: readonly number[]): Histogram {
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((le) => ({ le, count: 0 }));
  return { buckets, sum: 0, count: 0 };
}

/** Undefined where the bounds differ: such counts cannot be added without inventing some. */
export function addHistograms(one: Histogram, other: Histogram): Histogram | undefined {
  if (one.buckets.length !== other.buckets.length) return undefined;
  const buckets: { readonly le: number; readonly count: number }[] = [];
  for (const [index, { le, count }] of one.buckets.entries()) {
    const same = other.buckets[index];
    if (same?.le !== le) return undefined;
    buckets.push({ le, count: count + same.count });
  }
  const sum = one.sum === undefined || other.sum === undefined ? undefined : one.sum + other.sum;
  return { buckets, sum, count: one.count + other.count };
}

/** Milliseconds to seconds and the like: bounds and sum change, counts do not. */
export function scaleHistogram(histogram: Histogram, scale: number): Histogram {
  return {
    buckets: histogram.buckets.map(({ le, count }) => ({ le: le * scale, count })),
    sum: histogram.sum === undefined ? undefined : histogram.sum * scale,
    count: histogram.count,
  };
}
