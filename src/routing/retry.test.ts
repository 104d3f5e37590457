import { expect, test } from 'vitest';

import { ERRORS } from '../serving/errors.ts';
import { afterAttempt, noHistory, type Outcome } from './retry.ts';

const answered = (status: number, ownKey = true): Outcome => ({ kind: 'answered', status, ownKey });
const diedOnce = { reusedSocketDeaths: 1 };

test.each([
  ['nothing was sent', { kind: 'nothing-sent' }, noHistory, 'retry-elsewhere', 'engine_unreachable', true],
  ['a reused socket died', { kind: 'reused-socket-closed' }, noHistory, 'retry-same', 'engine_failed', false],
  ['it died a second time', { kind: 'reused-socket-closed' }, diedOnce, 'fail', 'engine_failed', true],
  ['it died after sending', { kind: 'died-after-sending' }, noHistory, 'fail', 'engine_failed', true],
  ['429', answered(429), noHistory, 'retry-elsewhere', 'last-answer', false],
  ['503', answered(503), noHistory, 'retry-elsewhere', 'last-answer', false],
  ['401', answered(401), noHistory, 'retry-elsewhere', 'engine_auth', true],
  ['401 without a key of ours', answered(401, false), noHistory, 'retry-elsewhere', 'engine_auth', true],
  ['403', answered(403), noHistory, 'retry-elsewhere', 'engine_auth', true],
  ['403 without a key of ours', answered(403, false), noHistory, 'answer', 'last-answer', false],
  ['the client left', { kind: 'client-left' }, noHistory, 'stop', 'client_left', false],
] as const)('%s', (_what, outcome, history, action, otherwise, countsAgainstEngine) => {
  expect(afterAttempt(outcome, history)).toMatchObject({
    action,
    otherwise,
    countsAgainstEngine,
    delayMs: 0,
  });
});

test.each([200, 201, 301, 400, 404, 405, 413, 422, 500, 501, 502, 504])(
  '%d goes to the client as it is',
  (status) => {
    expect(afterAttempt(answered(status), noHistory)).toMatchObject({
      action: 'answer',
      countsAgainstEngine: false,
      cause: undefined,
    });
  },
);

test('every retry has a cause to count it under', () => {
  const outcomes: Outcome[] = [
    { kind: 'nothing-sent' },
    { kind: 'reused-socket-closed' },
    ...[401, 429, 503].map((status) => answered(status)),
  ];
  for (const outcome of outcomes) {
    const { action, cause } = afterAttempt(outcome, noHistory);
    expect([action.startsWith('retry'), cause !== undefined]).toEqual([true, true]);
  }
});

test('each code it ends with is in the catalogue, which agrees on trying again', () => {
  const { otherwise } = afterAttempt({ kind: 'nothing-sent' }, noHistory);
  if (otherwise === 'last-answer') throw new Error('not a code');
  expect(ERRORS[otherwise].retryElsewhere).toBe('yes');
});
