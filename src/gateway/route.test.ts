import { expect, test } from 'vitest';

import { engineView, servedModel, signalsOf } from '../../test/kit/engine-view.ts';
import type { EngineView } from '../fleet/engine-view.ts';
import { seededRandom } from '../kit/random.ts';
import { leastRequests } from '../routing/least-requests.ts';
import { GatewayError } from '../serving/errors.ts';
import { type RoutingInput, routeRequest } from './route.ts';

function route(engines: readonly EngineView[], over: Partial<RoutingInput> = {}) {
  return routeRequest(leastRequests(seededRandom(1)), {
    engines,
    facts: { model: 'm', sessionKey: undefined },
    api: undefined,
    askedModel: 'm',
    aliases: {},
    tried: new Set(),
    ...over,
  });
}

function refusal(engines: readonly EngineView[], over: Partial<RoutingInput> = {}): GatewayError {
  try {
    route(engines, over);
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error('not refused');
}

test('a choice carries the numbers it was made by', () => {
  const busy = engineView('a', {
    signals: signalsOf({ running: 3, waiting: 1, kvUsage: 0.5 }),
    signalsAgeMs: 250,
    inFlight: 2,
    sentSinceReport: 1,
    finishedSinceReport: 2,
  });
  const down = engineView('c', { health: 'down' });
  expect(route([busy, engineView('b'), down])).toMatchObject({
    engine: { name: 'b' },
    reason: 'lowest-load',
    candidates: [
      {
        engine: 'a',
        load: 3,
        running: 3,
        waiting: 1,
        kvUsage: 0.5,
        inFlight: 2,
        sentSinceReport: 1,
        finishedSinceReport: 2,
        signalsAgeMs: 250,
        contract: 'complete',
        health: 'up',
      },
      { engine: 'b', load: 0 },
    ],
    excluded: [{ engine: 'c', reason: 'down' }],
  });
});

test('engines that do not serve the model are not part of the choice', () => {
  const other = engineView('x', { models: [servedModel('other')] });
  expect(route([other, engineView('a')])).toMatchObject({ candidates: [{ engine: 'a' }], excluded: [] });
});

test('when all were tried there is no choice and no error', () => {
  expect(route([engineView('a')], { tried: new Set(['a']) })).toBeUndefined();
  expect(route([], { tried: new Set(['a']) })).toBeUndefined();
});

test('an unknown model is not found', () => {
  const error = refusal([engineView('a')], { facts: { model: 'x', sessionKey: undefined }, askedModel: 'x' });
  expect([error.code, error.param, error.message]).toEqual([
    'model_not_found',
    'model',
    'No engine serves the model "x"; there are: m',
  ]);
});

test('the list of models in a message is bounded, and so is the name that was asked for', () => {
  const models = Array.from({ length: 50 }, (_, at) => servedModel(`model-${at}`));
  const { message } = refusal([engineView('a', { models })], { askedModel: 'x'.repeat(10_000) });
  expect(message).toContain('model-19 and 30 more');
  expect(message.length).toBeLessThan(600);
});

const untold = (name: string, over: Partial<EngineView>) =>
  engineView(name, { models: [], listState: 'unread', ...over });
const asking = { facts: { model: 'x', sessionKey: undefined }, askedModel: 'x' };

test.each([
  ['unknown', 'not reached yet'],
  ['loading', 'loading'],
  ['down', 'down'],
  ['up', 'its model list cannot be read'],
] as const)('while an engine that is %s has not told its models, nothing is "not found"', (health, why) => {
  for (const others of [[], [engineView('b')]]) {
    const error = refusal([untold('a', { health }), ...others], asking);
    expect([error.status, error.code, error.retryAfterSeconds, error.message]).toEqual([
      503,
      'no_engine_available',
      2,
      `No engine that has told its models serves "x"; not known yet is what these serve: a (${why})`,
    ]);
  }
});

test('an engine that refuses our key where it tells its models is named, for an operator to act on', () => {
  const refusing = untold('a', { listState: 'key-refused' });
  const error = refusal([refusing, engineView('b')], asking);
  expect([error.status, error.code]).toEqual([502, 'engine_auth']);
  expect(error.message).toMatch(/serves "x", and the key .* is refused where these tell theirs: a$/);
  const both = refusal([refusing, untold('c', { health: 'down' })], asking);
  expect([both.status, both.message]).toEqual([
    503,
    expect.stringMatching(/: a \(it refuses the key of this gateway\), c \(down\)$/),
  ]);
});

test('an engine without models that has said so is no reason to wait', () => {
  const error = refusal([engineView('a', { models: [] })], asking);
  expect([error.code, error.message]).toEqual([
    'model_not_found',
    'No engine serves the model "x"; no engine has any model',
  ]);
});

test('when all that serve it are out, each says why', () => {
  const error = refusal([engineView('a', { health: 'down' }), engineView('b', { health: 'loading' })]);
  expect([error.code, error.retryAfterSeconds]).toEqual(['no_engine_available', 2]);
  expect(error.message).toBe('No engine can serve the model "m" now: a is down, b is loading');
});
