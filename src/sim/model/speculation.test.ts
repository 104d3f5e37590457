import { expect, test } from 'vitest';

import { eventsOf, request, runEngine, shippedProfile } from '../../../test/kit/run-engine.ts';
import { createEngine, type EngineSettings } from './engine.ts';

const profile = shippedProfile('llama-3-8b-h100');

function tokensOf(settings: Partial<EngineSettings>, outputTokens: number) {
  const state = createEngine({ profile, seed: 1, ...settings });
  return eventsOf(
    runEngine(state, { arrivals: [{ atMs: 0, spec: request('a', 100, outputTokens) }] }),
    'tokens',
  );
}

test('with every draft accepted each step gives all of them and one more, and the answer is no longer for it', () => {
  const tokens = tokensOf({ speculation: { draftTokens: 3, acceptance: 1 } }, 12);
  // The prompt's step has none; the last drafts only what is left.
  expect(tokens.map(({ count }) => count)).toEqual([1, 4, 4, 3]);
  expect(tokens.map(({ draftedTokens }) => draftedTokens)).toEqual([0, 3, 3, 2]);
});

test('with no draft accepted each step gives one token and takes longer than without speculation', () => {
  const plain = tokensOf({}, 20);
  const refused = tokensOf({ speculation: { draftTokens: 4, acceptance: 0 } }, 20);
  expect(refused.map(({ count }) => count)).toEqual(plain.map(({ count }) => count));
  expect(refused.at(-1)?.atMs).toBeGreaterThan(plain.at(-1)?.atMs ?? Number.NaN);
});

test('accepted tokens are a geometric run that the draft cuts off', () => {
  const [draftTokens, acceptance] = [4, 0.7];
  const tokens = tokensOf({ speculation: { draftTokens, acceptance } }, 20_000);
  const full = tokens.filter(({ draftedTokens }) => draftedTokens === draftTokens);
  const mean = full.reduce((sum, { count }) => sum + count, 0) / full.length;
  const expected = (1 - acceptance ** (draftTokens + 1)) / (1 - acceptance);
  expect(Math.abs(mean - expected)).toBeLessThan(0.05);
  const all = full.filter(({ count }) => count === draftTokens + 1).length / full.length;
  expect(Math.abs(all - acceptance ** draftTokens)).toBeLessThan(0.02);
});

test('an engine that reserves all lets the second wait until its limit fits, and one that does not preempts', () => {
  const arrivals = ['a', 'b'].map((id) => ({ atMs: 0, spec: request(id, 64, 60, { maxTokens: 100 }) }));
  const run = (admission: 'as-fits' | 'reserve-all') =>
    runEngine(createEngine({ profile, seed: 1, kvTokens: 176, admission }), { arrivals });

  const packed = run('as-fits');
  expect(
    eventsOf(packed, 'scheduled')
      .slice(0, 2)
      .map(({ atMs }) => atMs),
  ).toEqual([0, 0]);
  expect(eventsOf(packed, 'preempted').length).toBeGreaterThan(0);

  const reserved = run('reserve-all');
  expect(eventsOf(reserved, 'preempted')).toEqual([]);
  const [first] = eventsOf(reserved, 'finished', 'a');
  expect(eventsOf(reserved, 'scheduled', 'b')[0]?.atMs).toBe(first?.atMs);
});
