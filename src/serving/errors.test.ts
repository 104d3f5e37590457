import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ERRORS, type ErrorCode, GatewayError } from './errors.ts';

test('an error becomes the body OpenAI clients read', () => {
  const error = new GatewayError('model_not_found', 'no engine serves "x"', { param: 'model' });
  expect(error.status).toBe(404);
  expect(error.toBody()).toEqual({
    error: {
      message: 'no engine serves "x"',
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    },
  });
});

test('what somebody else threw is internal, and its text stays out of the body', () => {
  const secret = new Error('password is 1234');
  const error = GatewayError.from(secret);
  expect(error.code).toBe('internal');
  expect(error.cause).toBe(secret);
  expect(JSON.stringify(error.toBody())).not.toContain('1234');
});

test('an error of ours is kept as it is', () => {
  const error = new GatewayError('draining', 'about to stop');
  expect(GatewayError.from(error)).toBe(error);
});

test('every error of the catalogue is one that some code answers with', () => {
  const source = join(import.meta.dirname, '..');
  const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) => /\.ts$/.test(path) && !/\.test\.ts$|serving\/errors\.ts$/.test(path.replaceAll('\\', '/')),
    )
    .map((path) => readFileSync(join(source, path), 'utf8'))
    .join('\n');
  expect(Object.keys(ERRORS).filter((name) => name !== 'internal' && !code.includes(`'${name}'`))).toEqual(
    [],
  );
});

test('only what never reached an engine may be tried elsewhere without limit', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  expect(codes.filter((code) => ERRORS[code].retryElsewhere === 'yes')).toEqual([
    'engine_unreachable',
    'engine_auth',
    'gateway_exhausted',
    'loop_detected',
  ]);
});

test('a client error has a 4xx status and any other a 5xx', () => {
  for (const [code, { status, fault }] of Object.entries(ERRORS)) {
    expect([code, status < 500]).toEqual([code, fault === 'client']);
  }
});
