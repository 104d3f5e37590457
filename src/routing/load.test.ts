import { expect, test } from 'vitest';

import { engineView, signalsOf } from '../../test/kit/engine-view.ts';
import type { ContractState } from '../fleet/engine-view.ts';
import { loadOf } from './load.ts';

const busy = signalsOf({ running: 3, waiting: 2 });

test.each([
  ['what it reports', { signals: busy }, 5],
  ['and what was sent since', { signals: busy, inFlight: 4, sentSinceReport: 4 }, 9],
  ['less what finished since', { signals: busy, inFlight: 0, finishedSinceReport: 2 }, 3],
  ['never less than our own', { signals: signalsOf({ running: 0 }), inFlight: 4 }, 4],
  ['never less than nothing', { signals: signalsOf({ running: 1 }), finishedSinceReport: 3 }, 0],
  [
    'one signal alone, where the kind has no other',
    { signals: signalsOf({ running: 3, waiting: undefined }) },
    3,
  ],
  ['neither signal', { signals: signalsOf({ running: undefined, waiting: undefined }), inFlight: 2 }, 2],
] as const)('the load is %s', (_what, view, expected) => {
  expect(loadOf(engineView('a', view))).toBe(expected);
});

test.each(['blind', 'unseen', 'none', 'malformed'] as const)(
  'an engine that is %s is judged by our own',
  (contract) => {
    expect(loadOf(engineView('a', { contract, signals: busy, inFlight: 2, sentSinceReport: 9 }))).toBe(2);
  },
);

test('a partial report is as good as a complete one', () => {
  expect(loadOf(engineView('a', { contract: 'partial', signals: busy }))).toBe(5);
});

test('a stuck engine counts as idle for one probe and is last otherwise', () => {
  const stuck = { contract: 'stuck' as ContractState, signals: busy };
  expect(loadOf(engineView('a', { ...stuck, probeAllowed: true }))).toBe(0);
  expect(loadOf(engineView('a', stuck))).toBeGreaterThan(loadOf(engineView('b', { inFlight: 10_000 })));
});

test('an engine with a part of its share counts as fuller, so that it fills up to that part of the others', () => {
  const half = (inFlight: number) => loadOf(engineView('a', { share: 0.5, inFlight }));
  const full = (inFlight: number) => loadOf(engineView('b', { inFlight }));
  expect([half(0), half(4), half(9)]).toEqual([1, 9, 19]);
  expect(half(4)).toBeLessThan(full(10));
  expect(half(5)).toBeGreaterThan(full(10));
});
