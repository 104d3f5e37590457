import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The only source of time. `now` is monotonic milliseconds with an arbitrary start: differences only.
 * `wallTime` is Unix milliseconds and may jump: for what a person or another program reads.
 */
export interface Clock {
  now(): number;
  wallTime(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      throw signal?.reason ?? error;
    }
  },
};

/**
 * Calls `late` after `ms` unless the returned function is called first.
 * For a limit on something that is already awaited elsewhere.
 */
export function deadline(clock: Clock, ms: number, late: () => void): () => void {
  const cancel = new AbortController();
  clock.sleep(ms, cancel.signal).then(late, () => {});
  return () => cancel.abort();
}
