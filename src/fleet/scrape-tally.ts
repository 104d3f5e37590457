import type { ScrapeCounts } from './scrape-report.ts';

/** Counts what came of the scrapes of one engine. */
export class ScrapeTally {
  #scrapes = 0;
  #restarts = 0;
  readonly #failures = new Map<string, number>();
  #lastDurationMs: number | undefined;

  get counts(): ScrapeCounts {
    return {
      scrapes: this.#scrapes,
      restarts: this.#restarts,
      failures: this.#failures,
      lastDurationMs: this.#lastDurationMs,
    };
  }

  good(durationMs: number): void {
    this.#scrapes += 1;
    this.#lastDurationMs = durationMs;
  }

  /** @param cause one of a closed list (it becomes a label); absent: it told why it has no page */
  bad(cause: string | undefined): void {
    this.#scrapes += 1;
    if (cause !== undefined) this.failure(cause);
  }

  /** A page that came and is not what it says is a failure as well. */
  failure(cause: string): void {
    this.#failures.set(cause, (this.#failures.get(cause) ?? 0) + 1);
  }

  restart(): void {
    this.#restarts += 1;
  }
}
