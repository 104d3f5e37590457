import type { Labels } from './exposition.ts';

/** Of labels that are one series to Prometheus: whatever their order, and without those of an empty value. */
export class SeriesKeys {
  /** The samples of a page share their label sets. */
  readonly #whole = new Map<Labels, string>();
  readonly #withoutBound = new Map<Labels, string>();

  of(labels: Labels): string {
    return remembered(this.#whole, labels, (one) => seriesKey(one));
  }

  /** The same of all buckets or quantiles of one histogram or summary. */
  withoutBound(labels: Labels): string {
    return remembered(this.#withoutBound, labels, (one) => seriesKey(one, ['le', 'quantile']));
  }
}

function remembered(keys: Map<Labels, string>, labels: Labels, make: (labels: Labels) => string): string {
  const known = keys.get(labels);
  if (known !== undefined) return known;
  const key = make(labels);
  keys.set(labels, key);
  return key;
}

function seriesKey(labels: Labels, without: readonly string[] = []): string {
  const pairs = Object.entries(labels).filter(([name, value]) => value !== '' && !without.includes(name));
  return JSON.stringify(pairs.sort(([one], [other]) => (one < other ? -1 : 1)));
}
