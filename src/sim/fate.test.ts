import { expect, test } from 'vitest';

import { work } from '../../test/kit/sim.ts';
import { seededRandom } from '../kit/random.ts';
import { fated, NO_FAULTS } from './fate.ts';

test('without faults nothing is drawn and the work is the work', () => {
  const asked = work(10, 20);
  const random = (): number => {
    throw new Error('drawn');
  };
  expect(fated(asked, NO_FAULTS, random)).toBe(asked);
});

test('faults come as often as they should, and somewhere in the answer', () => {
  const random = seededRandom(1);
  const all = Array.from({ length: 4000 }, () => fated(work(10, 50), { error: 0.2, abort: 0.1 }, random));
  const share = (reason: string): number =>
    all.filter(({ finishReason }) => finishReason === reason).length / all.length;
  expect(share('error')).toBeCloseTo(0.2, 1);
  expect(share('abort')).toBeCloseTo(0.1, 1);
  const failed = all.filter(({ finishReason }) => finishReason === 'error');
  const lengths = failed.map(({ outputTokens }) => outputTokens);
  expect(Math.min(...lengths)).toBe(0);
  expect(Math.max(...lengths)).toBe(49);
  const givenUp = all.filter(({ finishReason }) => finishReason === 'abort');
  expect(Math.min(...givenUp.map(({ outputTokens }) => outputTokens))).toBeGreaterThan(0);
});

test('an embedding can fail too', () => {
  const random = seededRandom(1);
  expect(fated(work(10, 0), { error: 1, abort: 0 }, random)).toMatchObject({
    outputTokens: 0,
    finishReason: 'error',
  });
});
