import type { Signals } from '../engines/signals.ts';
import type { ExpositionFormat } from '../exposition/exposition.ts';

/** A page as the engine sent it: translation happens when somebody asks. */
export interface KeptPage {
  readonly bytes: Uint8Array;
  readonly format: ExpositionFormat;
  /** Monotonic milliseconds when it had been read whole. */
  readonly at: number;
}

/** A scrape that brought a page. */
export interface ScrapeReport {
  readonly startedAt: number;
  readonly page: KeptPage;
  readonly signals: Signals;
  readonly contract: 'complete' | 'partial' | 'blind' | 'malformed' | 'none';
  /** Vocabulary names the profile promises and the page lacks, or what is wrong with the page. */
  readonly missing: readonly string[];
  readonly problem: string | undefined;
}

export interface ScrapeCounts {
  readonly scrapes: number;
  readonly restarts: number;
  readonly failures: ReadonlyMap<string, number>;
  readonly lastDurationMs: number | undefined;
}
