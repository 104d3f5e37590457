import { expect, test } from 'vitest';

import { isOwnLimit } from './own-limit.ts';

const failed = (code: string): Error => Object.assign(new Error(`connect ${code}`), { code });

test.each(['EMFILE', 'ENFILE', 'EADDRNOTAVAIL', 'ENOBUFS', 'ENOMEM'])('%s is our own limit', (code) => {
  expect(isOwnLimit(failed(code))).toBe(true);
});

test('what the other end says, and what has no code, is not', () => {
  for (const error of [failed('ECONNREFUSED'), failed('ENOTFOUND'), new Error('EMFILE'), undefined]) {
    expect(isOwnLimit(error)).toBe(false);
  }
});

test('of several addresses every one must have failed at our end', () => {
  const noIpv6 = failed('EADDRNOTAVAIL');
  expect(isOwnLimit(new AggregateError([failed('EMFILE'), failed('EMFILE')]))).toBe(true);
  expect(isOwnLimit(new AggregateError([noIpv6, failed('ECONNREFUSED')]))).toBe(false);
  expect(isOwnLimit(new AggregateError([]))).toBe(false);
});
