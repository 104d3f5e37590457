import type { Clock } from '../../kit/clock.ts';

export interface Ping {
  /** Something was written: the silence begins anew. */
  touch(): void;
  stop(): void;
}

/** Calls `write` after each `everyMs` of silence, until it is stopped. */
export function startPing(clock: Clock, everyMs: number, write: () => void): Ping {
  const stopped = new AbortController();
  let lastMs = clock.now();
  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      const leftMs = lastMs + everyMs - clock.now();
      if (leftMs > 0) await clock.sleep(leftMs, stopped.signal);
      else {
        write();
        lastMs = clock.now();
      }
    }
  };
  // The only way it ends is the stop.
  run().catch(() => {});
  return {
    touch() {
      lastMs = clock.now();
    },
    stop() {
      stopped.abort();
    },
  };
}
