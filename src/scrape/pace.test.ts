import { expect, test } from 'vitest';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import { Pace } from './pace.ts';

test('what is wanted all the time is done after gaps that double up to half a minute', async () => {
  const clock = new ManualClock();
  const pace = new Pace(clock);
  const done: number[] = [];
  for (let second = 0; second <= 100; second += 1) {
    if (pace.isDue) {
      pace.done();
      done.push(second);
    }
    await clock.advance(1_000);
  }
  expect(done).toEqual([0, 1, 2, 4, 8, 16, 32, 62, 92]);
});

test('what is wanted once in a while is done at once', async () => {
  const clock = new ManualClock();
  const pace = new Pace(clock);
  for (let time = 0; time < 5; time += 1) {
    expect(pace.isDue).toBe(true);
    pace.done();
    await clock.advance(61_000);
  }
});
