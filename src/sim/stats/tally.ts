import type { Histogram, Reading, Series } from '../../engines/reading.ts';
import type { Labels } from '../../exposition/exposition.ts';

interface Entry {
  readonly rank: string;
  readonly own: Labels;
  value: number;
  /** Of a histogram: how often each value range was observed, one more than there are bounds. */
  readonly counts: number[];
  observed: number;
}

/**
 * What an engine has counted and measured, by family, rank and own labels; laid over the reading of an engine at
 * rest, which says what the kind's page has and on which bounds.
 */
export class Tally {
  readonly #rest: Reading;
  readonly #entries = new Map<string, Map<string, Entry>>();

  constructor(rest: Reading) {
    this.#rest = rest;
  }

  add(family: string, rank: number, amount: number, own: Labels = {}): void {
    this.#entry(family, rank, own).value += amount;
  }

  /** A gauge. */
  set(family: string, rank: number, value: number, own: Labels = {}): void {
    this.#entry(family, rank, own).value = value;
  }

  /** A value of a histogram; a family the kind does not have is not measured. */
  observe(family: string, rank: number, value: number, times = 1, own: Labels = {}): void {
    const bounds = this.#boundsOf(family);
    if (bounds === undefined || times <= 0) return;
    const entry = this.#entry(family, rank, own);
    const found = bounds.findIndex((le) => value <= le);
    const at = found < 0 ? bounds.length - 1 : found;
    entry.counts[at] = (entry.counts[at] ?? 0) + times;
    entry.value += value * times;
    entry.observed += times;
  }

  reading(): Reading {
    const series = new Map<string, readonly Series[]>();
    for (const [family, atRest] of this.#rest.series) series.set(family, this.#series(family, atRest));
    return { ...this.#rest, series };
  }

  /** A family that its page counts per process, or without a label, takes the sum of what was counted apart. */
  #series(family: string, atRest: readonly Series[]): readonly Series[] {
    const entries = [...(this.#entries.get(family)?.values() ?? [])];
    if (entries.length === 0) return atRest;
    // Its labels are open: what was said is all there is.
    if (atRest.length === 0) {
      return entries.map(({ rank, own, value }) => ({ labels: { engine: rank, ...own }, value }));
    }
    const perRank = this.#rest.ranks.length === 1 || atRest.some(({ labels }) => labels['engine'] !== '0');
    return atRest.map((one) => {
      const { engine, ...own } = one.labels;
      const mine = entries.filter(
        (entry) =>
          (!perRank || entry.rank === engine) &&
          Object.entries(own).every(([name, value]) => entry.own[name] === value),
      );
      return mine.length === 0 ? one : { ...one, value: summed(one.value, mine) };
    });
  }

  #entry(family: string, rank: number, own: Labels): Entry {
    const entries = this.#entries.get(family) ?? new Map<string, Entry>();
    this.#entries.set(family, entries);
    const key = [rank, ...Object.values(own)].join('\u0000');
    const known = entries.get(key);
    if (known !== undefined) return known;
    const fresh = { rank: String(rank), own, value: 0, counts: [], observed: 0 };
    entries.set(key, fresh);
    return fresh;
  }

  #boundsOf(family: string): readonly number[] | undefined {
    const value = this.#rest.series.get(family)?.[0]?.value;
    return typeof value === 'object' ? value.buckets.map(({ le }) => le) : undefined;
  }
}

function summed(atRest: number | Histogram, entries: readonly Entry[]): number | Histogram {
  const value = entries.reduce((sum, entry) => sum + entry.value, 0);
  if (typeof atRest === 'number') return value;
  let count = 0;
  const buckets = atRest.buckets.map(({ le }, at) => {
    count += entries.reduce((sum, { counts }) => sum + (counts[at] ?? 0), 0);
    return { le, count };
  });
  return { buckets, sum: value, count };
}
