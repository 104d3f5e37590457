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

/** A timer of Node's that is to run longer runs out at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  wallTime: () => Date.now(),
  async sleep(ms, signal) {
    try {
      for (let left = ms; ; left -= LONGEST_TIMER_MS) {
        await sleep(Math.min(left, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
        if (!(left > LONGEST_TIMER_MS)) return;
      }
    } catch (error) {
      throw signal?.reason ?? error;
    }
  },
  after(ms, run) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer =
        left > LONGEST_TIMER_MS
          ? setTimeout(() => wait(left - LONGEST_TIMER_MS), LONGEST_TIMER_MS)
          : setTimeout(run, left);
    };
    wait(ms);
    return () => clearTimeout(timer);
  },
};

/** For a limit on something that is already awaited elsewhere: `late` is called unless the returned function is. */
export function deadline(clock: Clock, ms: number, late: () => void): () => void {
  return clock.after(ms, late);
}
