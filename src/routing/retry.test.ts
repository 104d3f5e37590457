import { expect, test } from 'vitest';

import { ERRORS } from '../serving/errors.ts';
import {
  afterAttempt,
  type History,
  noHistory,
  type Outcome,
  RESENT_WITHIN_MS,
  withAttempt,
} from './retry.ts';

const soon = 200;
const late = RESENT_WITHIN_MS + 1;
const grief: History = { ...noHistory, griefs: 1 };
const unread: History = { ...noHistory, unreadDeaths: 1 };
const modelGone: History = { ...noHistory, modelsGone: 1 };

type Row = readonly [
  what: string,
  outcome: Outcome,
  history: History,
  then: string,
  otherwise: string,
  fault: string | undefined,
];

test.each<Row>([
  [
    'nothing was sent',
    { kind: 'nothing-sent' },
    noHistory,
    'other-engine',
    'engine_unreachable',
    'unreachable',
  ],
  [
    'nothing was sent again',
    { kind: 'nothing-sent' },
    grief,
    'other-engine',
    'engine_unreachable',
    'unreachable',
  ],
  ['no connection left', { kind: 'own-limit' }, grief, 'other-engine', 'gateway_exhausted', undefined],
  ['a loop of gateways', { kind: 'loop' }, grief, 'other-engine', 'last-answer', undefined],
  [
    'a reused socket closed',
    { kind: 'reused-socket-closed', sentForMs: soon },
    noHistory,
    'fresh-connection',
    'engine_failed',
    undefined,
  ],
  [
    'a second one did',
    { kind: 'reused-socket-closed', sentForMs: soon },
    unread,
    'fail',
    'engine_failed',
    'died',
  ],
  [
    'a reused socket closed after a while: somebody had read the request',
    { kind: 'reused-socket-closed', sentForMs: 2_000 },
    noHistory,
    'other-engine',
    'engine_failed',
    'died',
  ],
  [
    'it died soon after sending',
    { kind: 'died', sentForMs: soon },
    noHistory,
    'other-engine',
    'engine_failed',
    'died',
  ],
  ['it died late', { kind: 'died', sentForMs: late }, noHistory, 'fail', 'engine_failed', 'died'],
  ['a second engine died', { kind: 'died', sentForMs: soon }, grief, 'fail', 'engine_failed', 'died'],
  [
    'it died after a reused socket',
    { kind: 'died', sentForMs: soon },
    unread,
    'fail',
    'engine_failed',
    'died',
  ],
  [
    'health gave it up',
    { kind: 'declared-dead' },
    noHistory,
    'other-engine',
    'engine_failed',
    'declared_dead',
  ],
  ['health gave up a second', { kind: 'declared-dead' }, grief, 'fail', 'engine_failed', 'declared_dead'],
  ['busy', { kind: 'busy' }, noHistory, 'other-engine', 'last-answer', undefined],
  ['busy as well', { kind: 'busy' }, grief, 'other-engine', 'last-answer', undefined],
  ['500', { kind: 'server-error' }, noHistory, 'other-engine', 'last-answer', 'server_error'],
  ['a second 500', { kind: 'server-error' }, grief, 'answer', 'last-answer', 'server_error'],
  ['our key', { kind: 'key-refused' }, noHistory, 'other-engine', 'engine_auth', 'engine_auth'],
  ['the model is gone', { kind: 'model-gone' }, noHistory, 'other-engine', 'last-answer', undefined],
  ['it is gone there too', { kind: 'model-gone' }, modelGone, 'answer', 'last-answer', undefined],
  ['another 4xx', { kind: 'client-error' }, noHistory, 'answer', 'last-answer', undefined],
  ['all is well', { kind: 'fine' }, noHistory, 'answer', 'last-answer', undefined],
  ['the client left', { kind: 'client-left' }, noHistory, 'stop', 'client_left', undefined],
])('%s', (_what, outcome, history, then, otherwise, fault) => {
  expect(afterAttempt(outcome, history)).toMatchObject({ then, otherwise });
  expect(afterAttempt(outcome, history).fault).toBe(fault);
});

const tries = (then: string): boolean => then === 'fresh-connection' || then === 'other-engine';

const KINDS: readonly Outcome[] = [
  { kind: 'fine' },
  { kind: 'client-error' },
  { kind: 'busy' },
  { kind: 'server-error' },
  { kind: 'key-refused' },
  { kind: 'model-gone' },
  { kind: 'nothing-sent' },
  { kind: 'own-limit' },
  { kind: 'loop' },
  { kind: 'reused-socket-closed', sentForMs: soon },
  { kind: 'reused-socket-closed', sentForMs: 2_000 },
  { kind: 'died', sentForMs: soon },
  { kind: 'died', sentForMs: late },
  { kind: 'declared-dead' },
  { kind: 'client-left' },
];

test('every retry has a cause to count it under, and nothing else has', () => {
  for (const outcome of KINDS) {
    for (const history of [noHistory, grief, unread, modelGone]) {
      const { then, cause } = afterAttempt(outcome, history);
      expect([outcome.kind, cause !== undefined]).toEqual([outcome.kind, tries(then)]);
    }
  }
});

test('whatever happens, in whatever order, a body that engines die of reaches no third', () => {
  const deadly = new Set<Outcome['kind']>(['reused-socket-closed', 'died', 'declared-dead']);
  const walk = (history: History, deaths: number, depth: number): void => {
    if (depth === 0) return;
    for (const outcome of KINDS) {
      const { then } = afterAttempt(outcome, history);
      const died = deaths + (deadly.has(outcome.kind) ? 1 : 0);
      expect([died, died >= 2 && tries(then) && deadly.has(outcome.kind)]).toEqual([died, false]);
      if (tries(then)) walk(withAttempt(history, outcome), died, depth - 1);
    }
  };
  walk(noHistory, 0, 4);
});

test('what counts against an engine is never the work of a client, and never that it is busy', () => {
  for (const kind of [
    'client-error',
    'busy',
    'model-gone',
    'own-limit',
    'loop',
    'client-left',
    'fine',
  ] as const) {
    expect(afterAttempt({ kind }, noHistory).fault).toBeUndefined();
  }
});

test('each code it ends with is in the catalogue, which agrees on trying again', () => {
  const agreed = {
    engine_unreachable: 'yes',
    engine_failed: 'once',
    engine_auth: 'yes',
    gateway_exhausted: 'yes',
    client_left: 'no',
  };
  for (const outcome of KINDS) {
    const { otherwise } = afterAttempt(outcome, noHistory);
    if (otherwise !== 'last-answer') expect(ERRORS[otherwise].retryElsewhere).toBe(agreed[otherwise]);
  }
});
