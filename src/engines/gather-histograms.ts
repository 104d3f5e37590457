import type { Labels, Sample } from '../exposition/exposition.ts';
import type { HistogramParts } from './histogram.ts';
import { seriesKey, withoutLabels } from './label-key.ts';

/** The parts of one histogram series, with the labels they share. */
export interface GatheredHistogram {
  readonly labels: Labels;
  readonly parts: HistogramParts;
}

export interface HistogramSamples {
  readonly buckets: readonly Sample[];
  readonly sums: readonly Sample[];
  readonly counts: readonly Sample[];
}

const LE: ReadonlySet<string> = new Set(['le']);

/** Puts a histogram's samples together, series by series; they may stand in any order. */
export function gatherHistograms({ buckets, sums, counts }: HistogramSamples): Iterable<GatheredHistogram> {
  const groups = new Map<string, GatheredHistogram>();
  let last: GatheredHistogram | undefined;
  const groupOf = (sample: Sample): GatheredHistogram => {
    // Buckets of one series stand together on nearly every page.
    if (last !== undefined && isSameButBound(sample.labels, last.labels)) return last;
    const labels = withoutLabels(sample.labels, LE);
    const key = seriesKey(labels);
    const group = groups.get(key) ?? { labels, parts: { buckets: [], sum: undefined, count: undefined } };
    groups.set(key, group);
    last = group;
    return group;
  };
  for (const sample of buckets) {
    groupOf(sample).parts.buckets.push({ le: boundOf(sample.labels['le']), count: sample.value });
  }
  for (const sample of sums) groupOf(sample).parts.sum = sample.value;
  for (const sample of counts) groupOf(sample).parts.count = sample.value;
  return groups.values();
}

/** @param own labels without a bound */
function isSameButBound(labels: Labels, own: Labels): boolean {
  let left = 0;
  for (const name in own) {
    if (labels[name] !== own[name]) return false;
    left += 1;
  }
  for (const name in labels) if (name !== 'le') left -= 1;
  return left === 0;
}

function boundOf(le: string | undefined): number {
  if (le === undefined) return Number.NaN;
  return /^\+?inf$/i.test(le) ? Number.POSITIVE_INFINITY : Number(le);
}
