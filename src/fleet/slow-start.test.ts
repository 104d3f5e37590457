import { expect, test } from 'vitest';

import { shareOf } from './slow-start.ts';

test('the share of an engine that came back grows from a tenth to all', () => {
  const shares = [0, 1_000, 3_000, 15_000, 29_999, 30_000, 99_000].map((now) => shareOf(0, now, 30_000));
  expect(shares).toEqual([0.1, 0.1, 0.1, 0.5, 29_999 / 30_000, 1, 1]);
});

test('one that has always been there has all of it, and so has every one where slow start is off', () => {
  expect([shareOf(undefined, 0, 30_000), shareOf(5, 5, 0)]).toEqual([1, 1]);
});
