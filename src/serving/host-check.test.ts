import { expect, test } from 'vitest';

import { hostAllowed, isLoopback } from './host-check.ts';

const keylessLoopback = { listenerHost: '127.0.0.1', keyless: true, allowed: ['gate.lan'] };

test.each([
  ['localhost', true],
  ['localhost:4100', true],
  ['LocalHost:4100', true],
  ['127.0.0.1:80', true],
  ['[::1]:4100', true],
  ['[::1]', true],
  ['gate.lan:4100', true],
  ['evil.example', false],
  ['evil.example:4100', false],
  ['localhost.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['127.0.0.1:80:90', false],
  ['192.168.1.4:4100', false],
  ['', false],
  ['[::1', false],
  [undefined, true],
])('a keyless loopback listener asked as %s: %s', (host, expected) => {
  expect(hostAllowed(host, keylessLoopback)).toBe(expected);
});

test('with keys, or on another address, any host name is fine', () => {
  expect(hostAllowed('evil.example', { ...keylessLoopback, keyless: false })).toBe(true);
  expect(hostAllowed('evil.example', { ...keylessLoopback, listenerHost: '0.0.0.0' })).toBe(true);
});

test.each([
  ['127.3.2.1', true],
  ['[::1]', true],
  ['::1', true],
  ['10.0.0.1', false],
  ['127.0.0.1.nip.io', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
