/** What one unit of a family's value is. `ratio` is 0 to 1, also where the name says `perc`. */
export type Unit =
  | 'requests'
  | 'tokens'
  | 'seconds'
  | 'milliseconds'
  | 'microseconds'
  | 'ratio'
  | 'percent'
  | 'bytes'
  | 'megabytes'
  | 'gigabytes'
  | 'gigabytes per second'
  | 'blocks'
  | 'items'
  | 'events'
  | 'flops'
  | 'celsius'
  | 'watts'
  | 'joules'
  | 'tokens per second'
  | 'unix seconds'
  | 'state'
  | 'none';

/**
 * How one engine's ranks become one value: counts add up, pressure is that of the fullest rank (it refuses
 * work first), `newest` takes the series with the largest value, `info` is not a number to combine.
 */
export type RankRule = 'sum' | 'max' | 'mean' | 'newest' | 'info';

/** One metric name with its type: everything Penstock knows of it, once. */
export interface CatalogFamily {
  /** As its samples are named in the text format (a counter with `_total`, a histogram without suffix). */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly unit: Unit;
  /** Its own labels, beyond those every engine's series carry (`model_name`, `engine`, ...). */
  readonly labels: readonly string[];
  /** Label values that the engine shows at 0 from its start, for families whose value set is closed. */
  readonly labelValues?: Readonly<Record<string, readonly string[]>>;
  /** What the value means and what a person may conclude; also its HELP text. */
  readonly help: string;
  readonly ranks: RankRule;
  /** Upper bounds without +Inf, as the engine of the family's own kind has them. */
  readonly bounds?: readonly number[];
  /** The launch flag that turns it on; absent when it is always there. */
  readonly flag?: string;
  /** What else it needs to be on the page, for a person ("while the value is known"). */
  readonly when?: string;
  /** First and last version that serve it under this name, in the words of the facts ("0.9.2", "about 0.16"). */
  readonly since?: string;
  readonly until?: string;
}
