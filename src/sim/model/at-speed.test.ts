import { expect, test } from 'vitest';

import { atSpeed } from './at-speed.ts';

test('an engine ten times as fast has events ten times as early, and all that they last ten times as short', () => {
  expect(
    atSpeed({ type: 'evicted', atMs: 1000, lifetimeMs: 500, idleMs: 200, reuseGapsMs: [100, 50] }, 10),
  ).toEqual({ type: 'evicted', atMs: 100, lifetimeMs: 50, idleMs: 20, reuseGapsMs: [10, 5] });
  expect(
    atSpeed(
      { type: 'scheduled', atMs: 70, id: 'a', queuedMs: 30, queriedTokens: 8, cachedTokens: 0, first: true },
      10,
    ),
  ).toMatchObject({ atMs: 7, queuedMs: 3, queriedTokens: 8 });
  expect(
    atSpeed({ type: 'prefilled', atMs: 70, id: 'a', promptTokens: 8, cachedTokens: 0, prefillMs: 40 }, 10),
  ).toMatchObject({ atMs: 7, prefillMs: 4, promptTokens: 8 });
  expect(
    atSpeed({ type: 'tokens', atMs: 70, id: 'a', count: 2, firstToken: false, draftedTokens: 3 }, 10),
  ).toMatchObject({ atMs: 7, count: 2, draftedTokens: 3 });
});
