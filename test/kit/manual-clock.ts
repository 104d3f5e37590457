import type { Clock } from '../../src/kit/clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that moves only when told to. `advance` wakes due sleepers in order and lets their promises run. */
export class ManualClock implements Clock {
  #now = 0;
  #wallOffset = Date.UTC(2026, 10, 30, 12);
  #sleepers: Sleeper[] = [];

  now(): number {
    return this.#now;
  }

  wallTime(): number {
    return this.#wallOffset + this.#now;
  }

  /** A wall clock that jumps (NTP, a resumed laptop) while monotonic time goes on. */
  jumpWall(ms: number): void {
    this.#wallOffset += ms;
  }

  get sleeping(): number {
    return this.#sleepers.length;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const sleeper: Sleeper = {
        at: this.#now + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener('abort', aborted);
          resolve();
        },
      };
      const aborted = (): void => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', aborted, { once: true });
      this.#sleepers.push(sleeper);
    });
  }

  after(ms: number, run: () => void): () => void {
    const sleeper: Sleeper = { at: this.#now + Math.max(0, ms), wake: run };
    this.#sleepers.push(sleeper);
    return () => {
      this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
    };
  }

  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#sleepers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#sleepers = this.#sleepers.filter((other) => other !== next);
      this.#now = Math.max(this.#now, next.at);
      next.wake();
    }
    this.#now = until;
    await settle();
  }
}

/** Lets promise chains that are already resolvable run to their next real wait. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
