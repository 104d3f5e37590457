import type { Labels } from '../exposition/exposition.ts';
import { shorten } from '../kit/shorten.ts';

/** What takes all label sets that came after the bound was reached. */
const OTHER = 'other';
const MAX_SERIES = 1_000;
/** Longer label values are cut: they come from clients. */
const MAX_LABEL_LENGTH = 256;

interface Entry<T> {
  readonly labels: Labels;
  readonly value: T;
}

/** One value per label set, bounded: a client that invents model names fills one series, not the memory. */
export class SeriesSet<T> {
  readonly #names: readonly string[];
  readonly #make: () => T;
  readonly #maxSeries: number;
  readonly #entries = new Map<string, Entry<T>>();

  constructor(names: readonly string[], make: () => T, maxSeries = MAX_SERIES) {
    this.#names = names;
    this.#make = make;
    this.#maxSeries = maxSeries;
  }

  /** A label that is not given counts as empty. */
  get(labels: Labels): T {
    const values = this.#names.map((name) => boundedLabel(labels[name] ?? ''));
    const known = this.#entries.get(keyOf(values));
    if (known !== undefined) return known.value;
    return this.#add(this.#entries.size < this.#maxSeries ? values : this.#names.map(() => OTHER));
  }

  entries(): readonly Entry<T>[] {
    return [...this.#entries.values()];
  }

  #add(values: readonly string[]): T {
    const key = keyOf(values);
    const known = this.#entries.get(key);
    if (known !== undefined) return known.value;
    const labels = Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? '']));
    const entry = { labels, value: this.#make() };
    this.#entries.set(key, entry);
    return entry.value;
  }
}

export function boundedLabel(value: string): string {
  return shorten(value, MAX_LABEL_LENGTH);
}

function keyOf(values: readonly string[]): string {
  return JSON.stringify(values);
}
