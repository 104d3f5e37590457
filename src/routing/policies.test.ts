import { expect, test } from 'vitest';

import { engineView, signalsOf } from '../../test/kit/engine-view.ts';
import { policyNames } from '../config/names.ts';
import { seededRandom } from '../kit/random.ts';
import { policies } from './index.ts';
import { leastRequests } from './least-requests.ts';
import type { Candidates } from './policy.ts';
import { randomPolicy } from './random.ts';
import { roundRobin } from './round-robin.ts';
import { sessionHash } from './session-hash.ts';
import { twoChoices } from './two-choices.ts';

const random = () => seededRandom(1);
const request = { model: 'm', sessionKey: undefined };
const three: Candidates = [engineView('a'), engineView('b'), engineView('c')];
const loaded = (name: string, running: number) => engineView(name, { signals: signalsOf({ running }) });

test('a policy is known by the name it gives itself', () => {
  expect(Object.entries(policies).map(([name, make]) => [name, make(random()).name])).toEqual(
    policyNames.map((name) => [name, name]),
  );
});

test('with one candidate there is no choice to explain', () => {
  for (const make of Object.values(policies)) {
    expect(make(random()).pick([three[0]], request)).toEqual({ engine: three[0], reason: 'only-candidate' });
  }
});

test('least-requests takes the lowest load and says whether others were as low', () => {
  const policy = leastRequests(random());
  expect(policy.pick([loaded('a', 2), loaded('b', 1), loaded('c', 3)], request)).toMatchObject({
    engine: { name: 'b' },
    reason: 'lowest-load',
  });
  expect(policy.pick([loaded('a', 1), loaded('b', 1), loaded('c', 3)], request).reason).toBe('equal-load');
});

test('least-requests says when it probes a stuck engine', () => {
  const stuck = engineView('a', { contract: 'stuck', probeAllowed: true });
  expect(leastRequests(random()).pick([stuck, loaded('b', 1)], request)).toEqual({
    engine: stuck,
    reason: 'probe',
  });
});

test('least-requests spreads over equals', () => {
  const policy = leastRequests(random());
  const names = Array.from({ length: 300 }, () => policy.pick(three, request).engine.name);
  for (const name of ['a', 'b', 'c']) expect(names.filter((n) => n === name).length).toBeGreaterThan(60);
});

test('two-choices never takes the worst of three and sometimes not the best', () => {
  const policy = twoChoices(random());
  const candidates: Candidates = [loaded('a', 1), loaded('b', 2), loaded('c', 3)];
  const names = new Set(Array.from({ length: 200 }, () => policy.pick(candidates, request).engine.name));
  expect([...names].sort()).toEqual(['a', 'b']);
});

test('random takes them all', () => {
  const policy = randomPolicy(random());
  const names = new Set(Array.from({ length: 100 }, () => policy.pick(three, request).engine.name));
  expect(names.size).toBe(3);
});

test('round-robin takes turns, whatever the list looks like', () => {
  const policy = roundRobin();
  const [a, b, c] = [three[0], engineView('b'), engineView('c')];
  const pick = (...candidates: Candidates): string => policy.pick(candidates, request).engine.name;
  expect([pick(a, b, c), pick(a, b, c), pick(a, b, c), pick(a, b, c)]).toEqual(['a', 'b', 'c', 'a']);
  expect([pick(a, c), pick(a, b, c), pick(c, b, a)]).toEqual(['c', 'b', 'a']);
});

test('session-hash keeps a conversation on its engine, and moves only those of an engine that goes', () => {
  const policy = sessionHash(random());
  const keys = Array.from({ length: 300 }, (_, at) => `session:${at}`);
  const place = (candidates: Candidates, sessionKey: string): string =>
    policy.pick(candidates, { model: 'm', sessionKey }).engine.name;
  const before = keys.map((key) => place(three, key));
  expect(keys.map((key) => place([engineView('c'), engineView('b'), engineView('a')], key))).toEqual(before);
  const without = keys.map((key) => place([engineView('a'), engineView('c')], key));
  for (const [at, name] of before.entries()) if (name !== 'b') expect(without[at]).toBe(name);
  for (const name of ['a', 'b', 'c']) expect(before.filter((n) => n === name).length).toBeGreaterThan(60);
});

test('session-hash without a key goes by load', () => {
  expect(sessionHash(random()).pick([loaded('a', 2), loaded('b', 1)], request).engine.name).toBe('b');
});
