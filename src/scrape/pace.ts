import type { Clock } from '../kit/clock.ts';

const FIRST_GAP_MS = 1_000;
const MOST_GAP_MS = 30_000;

/**
 * When something costly may be done again that an engine can ask for at every scrape: at once when it is rare, then
 * after gaps that double up to half a minute for as long as it goes on.
 */
export class Pace {
  readonly #clock: Clock;
  #doneAt = Number.NEGATIVE_INFINITY;
  #gapMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** By the clock; it may lie in the past. */
  get nextAt(): number {
    return this.#doneAt + this.#gapMs;
  }

  get isDue(): boolean {
    return this.#clock.now() >= this.nextAt;
  }

  done(): void {
    const now = this.#clock.now();
    const isSoon = now - this.#doneAt <= 2 * Math.max(this.#gapMs, FIRST_GAP_MS);
    this.#gapMs = isSoon ? Math.min(Math.max(2 * this.#gapMs, FIRST_GAP_MS), MOST_GAP_MS) : 0;
    this.#doneAt = now;
  }
}
