import type { Histogram } from '../engines/reading.ts';
import type { Labels, Sample } from '../exposition/exposition.ts';
import { formatBound } from '../exposition/format-number.ts';

/** A histogram as the lines of a page, in the order Prometheus' own clients write them. */
export function histogramSamples(name: string, labels: Labels, { buckets, sum, count }: Histogram): Sample[] {
  return [
    ...buckets.map((bucket) => ({
      name: `${name}_bucket`,
      labels: { ...labels, le: formatBound(bucket.le) },
      value: bucket.count,
    })),
    ...(sum === undefined ? [] : [{ name: `${name}_sum`, labels, value: sum }]),
    { name: `${name}_count`, labels, value: count },
  ];
}
