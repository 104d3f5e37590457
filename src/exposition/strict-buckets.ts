import type { Sample } from './exposition.ts';
import { parseFloat64 } from './read-float.ts';

export type Fail = (message: string, at: number) => never;

/** One histogram or summary: a label set without `le` or `quantile`. */
interface Group {
  readonly at: number;
  bound: number | undefined;
  bucket: number | undefined;
  infinite: boolean;
  negative: boolean;
  count: { readonly value: number; readonly at: number } | undefined;
  sum: { readonly value: number; readonly at: number } | undefined;
}

interface BucketSettings {
  readonly type: 'histogram' | 'gaugehistogram' | 'summary';
  readonly openMetrics: boolean;
  readonly fail: Fail;
}

/** The rules about the samples of one family with buckets or quantiles, which belong together by their labels. */
export class BucketCheck {
  readonly #settings: BucketSettings;
  readonly #groups = new Map<string, Group>();

  constructor(settings: BucketSettings) {
    this.#settings = settings;
  }

  /** `suffix` is what the sample's name adds to the family's. */
  sample(key: string, suffix: string, { labels, value, name }: Sample, at: number): void {
    const { type, fail } = this.#settings;
    const group = this.#groups.get(key) ?? newGroup(at);
    this.#groups.set(key, group);
    if (suffix === '_sum' || suffix === '_gsum') group.sum = { value, at };
    else if (suffix === '_count' || suffix === '_gcount') group.count = { value, at };
    else if (suffix === '_bucket') this.#bucket(group, labels['le'], value, at);
    else if (suffix === '' && type === 'summary') this.#quantile(group, labels['quantile'], at);
    else if (suffix === '')
      fail(`a ${type} has no sample "${name}": its samples are "${name}_bucket" and so on`, at);
  }

  /** When no more of the family can come. */
  end(): void {
    for (const group of this.#groups.values()) this.#whole(group);
    this.#groups.clear();
  }

  #bucket(group: Group, le: string | undefined, value: number, at: number): void {
    const { fail } = this.#settings;
    const bound = this.#bound('le', le, group, at);
    if (!(value >= (group.bucket ?? 0))) {
      fail(`buckets count up: this one is below the one before it, or no count`, at);
    }
    group.bucket = value;
    group.infinite = bound === Number.POSITIVE_INFINITY;
    group.negative ||= bound < 0;
  }

  #quantile(group: Group, quantile: string | undefined, at: number): void {
    const bound = this.#bound('quantile', quantile, group, at);
    if (!(bound >= 0 && bound <= 1))
      this.#settings.fail(`a quantile is between 0 and 1, found "${quantile}"`, at);
  }

  #bound(label: string, text: string | undefined, group: Group, at: number): number {
    const { fail } = this.#settings;
    const bound = text === undefined ? undefined : parseFloat64(text);
    if (bound === undefined || Number.isNaN(bound)) {
      const found = text === undefined ? 'it has none' : `found "${text}"`;
      return fail(`label "${label}" holds a number here, ${found}`, at);
    }
    if (group.bound !== undefined && bound <= group.bound)
      fail(`label "${label}" rises from line to line`, at);
    group.bound = bound;
    return bound;
  }

  #whole({ at, infinite, bucket, count, sum, negative }: Group): void {
    const { type, openMetrics, fail } = this.#settings;
    if (type === 'summary') return;
    if (!infinite) fail(`a ${type} has a bucket le="+Inf", this one has none`, at);
    if (count !== undefined && count.value !== bucket) {
      fail(`the bucket le="+Inf" (${bucket}) is equal to the count (${count.value})`, count.at);
    }
    if (!openMetrics) return;
    if ((count === undefined) !== (sum === undefined))
      fail(`count and sum of a ${type} come together or not at all`, at);
    if (negative && sum !== undefined && type === 'histogram') {
      fail('a histogram with negative bounds has no sum', sum.at);
    }
  }
}

function newGroup(at: number): Group {
  return {
    at,
    bound: undefined,
    bucket: undefined,
    infinite: false,
    negative: false,
    count: undefined,
    sum: undefined,
  };
}
