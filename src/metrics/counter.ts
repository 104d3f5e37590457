import type { CatalogFamily } from '../catalog/family.ts';
import type { Labels } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { SeriesSet } from './series-set.ts';

/** Counts up, by label set. */
export class Counter {
  readonly #family: CatalogFamily;
  readonly #series: SeriesSet<{ value: number }>;

  constructor(family: CatalogFamily, maxSeries?: number) {
    this.#family = family;
    this.#series = new SeriesSet(family.labels, () => ({ value: 0 }), maxSeries);
    // A counter that is there from the start shows its first event as an increase.
    if (family.labels.length === 0) this.#series.get({});
  }

  add(labels: Labels = {}, amount = 1): void {
    this.#series.get(labels).value += amount;
  }

  entries(): readonly { readonly labels: Labels; readonly value: number }[] {
    return this.#series.entries().map(({ labels, value }) => ({ labels, value: value.value }));
  }

  written(): WrittenFamily {
    const { name, help } = this.#family;
    const samples = this.entries().map(({ labels, value }) => ({ name, labels, value }));
    return { name, type: 'counter', help, samples };
  }
}
