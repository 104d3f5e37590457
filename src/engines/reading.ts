import type { Labels } from '../exposition/exposition.ts';

export interface Histogram {
  /** Cumulative, ascending, the last bound is +Infinity. */
  readonly buckets: readonly { readonly le: number; readonly count: number }[];
  /** Absent when the page has none (hand-made pages). */
  readonly sum: number | undefined;
  readonly count: number;
}

/** One series under vLLM's current name. */
export interface Series {
  /**
   * `engine` (the rank) and the family's own labels. `model_name` too where the page names several models and this
   * series is not of the first: one engine's models are never merged into one series.
   */
  readonly labels: Labels;
  readonly value: number | Histogram;
}

/** What a page says in the words of the catalogue. */
export interface Reading {
  /** Family -> its series; a family without samples is not in here. */
  readonly series: ReadonlyMap<string, readonly Series[]>;
  /** Rank names, "0" for an engine without ranks; in the page's order. */
  readonly ranks: readonly string[];
  /** The model the page names, if it names one. */
  readonly modelName: string | undefined;
}
