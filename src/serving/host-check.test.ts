import { expect, test } from 'vitest';

import { hostAllowed, isLoopback, originAllowed } from './host-check.ts';

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

test.each<[method: string, headers: Readonly<Record<string, string>>, expected: boolean]>([
  ['POST', {}, true],
  ['POST', { origin: 'http://localhost:4100' }, true],
  ['POST', { origin: 'http://127.0.0.1:3000', 'sec-fetch-site': 'cross-site' }, true],
  ['POST', { origin: 'http://[::1]:4100' }, true],
  ['POST', { origin: 'https://Gate.LAN' }, true],
  ['POST', { origin: 'app://gate.lan' }, true],
  ['POST', { 'sec-fetch-site': 'same-origin' }, true],
  ['POST', { 'sec-fetch-site': 'cross-site' }, false],
  ['POST', { origin: 'https://evil.example' }, false],
  ['POST', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }, false],
  ['POST', { origin: 'https://localhost.evil.example' }, false],
  ['POST', { origin: 'https://localhost@evil.example' }, false],
  ['POST', { origin: 'null' }, false],
  ['POST', { origin: '' }, false],
  ['POST', { origin: 'http://localhost, https://evil.example' }, false],
  ['DELETE', { origin: 'https://evil.example' }, false],
  ['GET', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, true],
])('a keyless loopback listener sent %s with %o: %s', (method, headers, expected) => {
  expect(originAllowed({ method, headers }, keylessLoopback)).toBe(expected);
  expect(originAllowed({ method, headers }, { ...keylessLoopback, keyless: false })).toBe(true);
  expect(originAllowed({ method, headers }, { ...keylessLoopback, listenerHost: '0.0.0.0' })).toBe(true);
});
