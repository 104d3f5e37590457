import type { Sample } from './exposition.ts';
import { parseFloat64 } from './read-float.ts';

export type BucketType = 'histogram' | 'gaugehistogram' | 'summary';

interface Placed {
  readonly value: number;
  /** The sample's place, as whoever asks counts it. */
  readonly at: number;
}

/** One histogram or summary: a label set without `le` or `quantile`. */
interface Group {
  readonly at: number;
  bound: number | undefined;
  bucket: number | undefined;
  negative: boolean;
  count: Placed | undefined;
  sum: Placed | undefined;
}

/** The rules about the samples of one family with buckets or quantiles, which belong together by their labels. */
export class BucketCheck {
  readonly #type: BucketType;
  readonly #openMetrics: boolean;
  readonly #groups = new Map<string, Group>();

  constructor(type: BucketType, { openMetrics }: { readonly openMetrics: boolean }) {
    this.#type = type;
    this.#openMetrics = openMetrics;
  }

  /**
   * What is wrong with the next sample, in words. `key` is the same for all of one histogram, `suffix` is what the
   * sample's name adds to the family's.
   */
  sample(key: string, suffix: string, { labels, value }: Sample, at: number): string | undefined {
    const group = this.#groups.get(key) ?? newGroup(at);
    this.#groups.set(key, group);
    switch (suffix) {
      case '_bucket':
        return boundProblem('le', labels, group) ?? bucketProblem(group, value);
      case '_sum':
      case '_gsum':
        group.sum = { value, at };
        return undefined;
      case '_count':
      case '_gcount':
        group.count = { value, at };
        return undefined;
      case '':
        if (this.#type === 'summary')
          return boundProblem('quantile', labels, group) ?? quantileProblem(group);
        return `a ${this.#type} has buckets, a sum and a count, and no sample of its bare name`;
      default:
        return undefined;
    }
  }

  /** What is wrong with the whole of it, when no more of the family can come. */
  end(): { readonly problem: string; readonly at: number } | undefined {
    const groups = [...this.#groups.values()];
    this.#groups.clear();
    if (this.#type === 'summary') return undefined;
    for (const group of groups) {
      const found = wholeProblem(group, this.#type, this.#openMetrics);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

function boundProblem(label: string, labels: Sample['labels'], group: Group): string | undefined {
  const text = labels[label];
  const bound = text === undefined ? undefined : parseFloat64(text);
  if (bound === undefined || Number.isNaN(bound)) {
    return `label "${label}" holds a number here, ${text === undefined ? 'it is not there' : `found "${text}"`}`;
  }
  const before = group.bound;
  group.bound = bound;
  return before !== undefined && bound <= before ? `label "${label}" rises from line to line` : undefined;
}

function bucketProblem(group: Group, value: number): string | undefined {
  const before = group.bucket ?? 0;
  group.bucket = value;
  group.negative ||= group.bound !== undefined && group.bound < 0;
  return value >= before ? undefined : 'buckets count up: this one is below the one before it, or no count';
}

function quantileProblem({ bound = Number.NaN }: Group): string | undefined {
  return bound >= 0 && bound <= 1 ? undefined : `a quantile is between 0 and 1, found ${bound}`;
}

function wholeProblem(
  { at, bound, bucket, count, sum, negative }: Group,
  type: BucketType,
  openMetrics: boolean,
): { readonly problem: string; readonly at: number } | undefined {
  if (bound !== Number.POSITIVE_INFINITY) {
    return { problem: `a ${type} has a bucket le="+Inf", this one has none`, at };
  }
  if (count !== undefined && count.value !== bucket) {
    const problem = `the bucket le="+Inf" (${bucket}) is equal to the count (${count.value})`;
    return { problem, at: count.at };
  }
  if (!openMetrics) return undefined;
  if ((count === undefined) !== (sum === undefined)) {
    return { problem: `count and sum of a ${type} come together or not at all`, at };
  }
  if (negative && sum !== undefined && type === 'histogram') {
    return { problem: 'a histogram with negative bounds has no sum', at: sum.at };
  }
  return undefined;
}

function newGroup(at: number): Group {
  return {
    at,
    bound: undefined,
    bucket: undefined,
    negative: false,
    count: undefined,
    sum: undefined,
  };
}
