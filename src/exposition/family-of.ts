import type { Family, MetricType } from './exposition.ts';

export interface FamilyOf {
  readonly family: string;
  readonly type: MetricType;
}

/** What a sample's name may add to its family's, by the family's type. */
export const SUFFIXES: Readonly<Record<MetricType, readonly string[]>> = {
  counter: ['_total', '_created'],
  gauge: [],
  histogram: ['_bucket', '_sum', '_count', '_created'],
  summary: ['_sum', '_count', '_created'],
  unknown: [],
  info: ['_info'],
  stateset: [],
  gaugehistogram: ['_bucket', '_gsum', '_gcount'],
};

/**
 * Finds the family of a sample by its name.
 *
 * By name and never by the last TYPE line above it, since families may be interleaved; and never by the suffix
 * alone: `vllm:iteration_tokens_total` is a histogram and `pool_count` may be a gauge. A family of exactly the
 * sample's name comes first, so `x_created` with a TYPE line of its own is not part of `x`. A sample of no
 * declared family is its own, of type unknown.
 */
export function familyResolver(families: readonly Family[]): (sampleName: string) => FamilyOf {
  const byName = new Map<string, FamilyOf>();
  for (const { name, type } of families) {
    const found: FamilyOf = { family: name, type };
    for (const suffix of SUFFIXES[type]) byName.set(name + suffix, found);
  }
  for (const { name, type } of families) byName.set(name, { family: name, type });
  return (sampleName) => byName.get(sampleName) ?? { family: sampleName, type: 'unknown' };
}
