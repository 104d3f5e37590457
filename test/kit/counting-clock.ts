import { type Clock, systemClock } from '../../src/kit/clock.ts';

/** Real time that knows who waits for it: a timer that outlives its exchange is seen. */
export function countingClock(): Clock & { readonly sleeping: number } {
  let sleeping = 0;
  return {
    now: systemClock.now,
    wallTime: systemClock.wallTime,
    get sleeping() {
      return sleeping;
    },
    async sleep(ms, signal) {
      sleeping += 1;
      try {
        await systemClock.sleep(ms, signal);
      } finally {
        sleeping -= 1;
      }
    },
    after(ms, run) {
      let waits = true;
      sleeping += 1;
      const over = (): void => {
        if (waits) sleeping -= 1;
        waits = false;
      };
      const callOff = systemClock.after(ms, () => {
        over();
        run();
      });
      return () => {
        over();
        callOff();
      };
    },
  };
}
