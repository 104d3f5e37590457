import { type Clock, systemClock } from '../../src/kit/clock.ts';

/** Real time, and leaps on demand: what is about long spans on real sockets need not take them. Sleepers stay asleep. */
export function leapingClock(): Clock & { leap(ms: number): void } {
  let ahead = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    leap(ms) {
      ahead += ms;
    },
  };
}
