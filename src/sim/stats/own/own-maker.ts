import type { Series } from '../../../engines/reading.ts';
import type { OwnValues } from '../../../engines/write-own.ts';
import type { Labels } from '../../../exposition/exposition.ts';
import type { StatsView } from '../sim-stats.ts';

/** What does not change while the engine runs. */
export interface OwnSizes {
  /** Per rank. */
  readonly kvTokens: number;
  readonly blockTokens: number;
  readonly maxSeqs: number;
  readonly contextTokens: number;
}

/** One kind's own families. Called once for each page: some kinds count from page to page. */
export type OwnMaker = (view: StatsView) => OwnValues;

export function series(rank: number, value: number, own: Labels = {}): Series {
  return { labels: { engine: String(rank), ...own }, value };
}
