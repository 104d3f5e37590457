import type { MetricType, Sample } from './exposition.ts';
import { SUFFIXES } from './family-of.ts';
import { SeriesKeys } from './series-keys.ts';
import { BucketCheck } from './strict-buckets.ts';
import { valueProblem } from './strict-values.ts';

interface TypedName {
  readonly name: string;
  readonly type: MetricType;
}

/** OpenMetrics names the family of a counter `x_total` `x`, and that of an info `x_info` `x`. */
const OWN_SUFFIX: Partial<Record<MetricType, string>> = { counter: '_total', info: '_info' };

export function openMetricsName({ name, type }: TypedName): string {
  const suffix = OWN_SUFFIX[type];
  return suffix !== undefined && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/** What samples of the family may be named. */
export function openMetricsSampleNames(family: TypedName): readonly string[] {
  const name = openMetricsName(family);
  return SUFFIXES[family.type].map((suffix) => name + suffix);
}

/**
 * Whether OpenMetrics allows these samples in a family of this type: by their names and their values. The rules
 * are those of strict mode.
 */
export function fitsOpenMetrics(family: TypedName, samples: readonly Sample[]): boolean {
  const { type } = family;
  const name = openMetricsName(family);
  const bare = SUFFIXES[type].length === 0 || type === 'summary';
  const allowed = new Set([...openMetricsSampleNames(family), ...(bare ? [name] : [])]);
  const keys = new SeriesKeys();
  const buckets =
    type === 'histogram' || type === 'gaugehistogram' || type === 'summary'
      ? new BucketCheck(type, { openMetrics: true })
      : undefined;
  const fits = samples.every((sample) => {
    if (!allowed.has(sample.name)) return false;
    const suffix = sample.name.slice(name.length);
    const problem =
      valueProblem({ name, type }, suffix, sample) ??
      buckets?.sample(keys.withoutBound(sample.labels), suffix, sample, 0);
    return problem === undefined;
  });
  return fits && buckets?.end() === undefined;
}
