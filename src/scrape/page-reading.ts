import { PageLimitError, type PageLimits } from '../exposition/page-limits.ts';
import type { Engine } from '../fleet/engine.ts';
import type { Clock } from '../kit/clock.ts';
import { type PageReader, pageReader, type ReadPage, readPage } from './apply.ts';
import type { FetchedPage } from './fetch.ts';
import { Pace } from './pace.ts';

/**
 * Reads an engine's pages: whole when there is a reason to, and fast else. A page that stays malformed, or asks for it
 * at every scrape, is read whole ever more seldom: that takes many times as long, between two tokens of a stream.
 */
export class PageReading {
  readonly #engine: Engine;
  readonly #limits: PageLimits;
  readonly #pace: Pace;
  #reader: PageReader | undefined;
  #mustReadWhole = true;

  constructor(clock: Clock, engine: Engine, limits: PageLimits) {
    this.#engine = engine;
    this.#limits = limits;
    this.#pace = new Pace(clock);
  }

  /** It may be another page than before. */
  needWhole(): void {
    this.#mustReadWhole = true;
  }

  /** Absent while nobody knows what the engine is. */
  read(page: FetchedPage): ReadPage | PageLimitError | undefined {
    const reader = this.#readerNow();
    if (reader === undefined) return undefined;
    const before = this.#engine.problem;
    const whole = (this.#mustReadWhole || before !== undefined) && this.#pace.isDue;
    const read = readPage(reader, page, whole, this.#limits);
    if (whole) {
      this.#pace.done();
      this.#mustReadWhole = false;
    }
    if (whole || before === undefined || read instanceof PageLimitError) return read;
    return { ...read, contract: 'malformed', problem: read.problem ?? before };
  }

  #readerNow(): PageReader | undefined {
    const profile = this.#engine.identity?.profile;
    if (profile !== undefined && this.#reader?.profile !== profile) this.#reader = pageReader(profile);
    return this.#reader;
  }
}
