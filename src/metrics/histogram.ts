import type { CatalogFamily } from '../catalog/family.ts';
import type { Histogram as HistogramValue } from '../engines/reading.ts';
import type { Labels } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { histogramSamples } from './histogram-samples.ts';
import { SeriesSet } from './series-set.ts';

interface Cell {
  /** Per bucket, not cumulative; the last is that of +Inf. */
  readonly counts: number[];
  sum: number;
}

/** Counts observations into the family's bounds, by label set. */
export class Histogram {
  readonly #family: CatalogFamily;
  readonly #bounds: readonly number[];
  readonly #series: SeriesSet<Cell>;

  constructor(family: CatalogFamily, maxSeries?: number) {
    this.#family = family;
    this.#bounds = family.bounds ?? [];
    const make = (): Cell => ({ counts: new Array<number>(this.#bounds.length + 1).fill(0), sum: 0 });
    this.#series = new SeriesSet(family.labels, make, maxSeries);
  }

  observe(labels: Labels, value: number): void {
    const cell = this.#series.get(labels);
    const at = this.#bounds.findIndex((bound) => value <= bound);
    const bucket = at === -1 ? this.#bounds.length : at;
    cell.counts[bucket] = (cell.counts[bucket] ?? 0) + 1;
    cell.sum += value;
  }

  entries(): readonly { readonly labels: Labels; readonly value: HistogramValue }[] {
    return this.#series.entries().map(({ labels, value }) => ({ labels, value: this.#cumulative(value) }));
  }

  written(): WrittenFamily {
    const { name, help } = this.#family;
    const samples = this.entries().flatMap(({ labels, value }) => histogramSamples(name, labels, value));
    return { name, type: 'histogram', help, samples };
  }

  #cumulative({ counts, sum }: Cell): HistogramValue {
    let count = 0;
    const buckets = counts.map((own, at) => {
      count += own;
      return { le: this.#bounds[at] ?? Number.POSITIVE_INFINITY, count };
    });
    return { buckets, sum, count };
  }
}
