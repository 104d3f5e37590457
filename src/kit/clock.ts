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
  /** Calls `run` after `ms` unless the returned function is called first. */
  after(ms: number, run: () => void): () => void;
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
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** For a limit on something that is already awaited elsewhere: `late` is called unless the returned function is. */
export function deadline(clock: Clock, ms: number, late: () => void): () => void {
  return clock.after(ms, late);
}
