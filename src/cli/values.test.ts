import { expect, test } from 'vitest';

import { engineUrl, listenAddress, oneOf, positiveNumber, wholeNumber } from './values.ts';

test.each([
  ['127.0.0.1:4100', { host: '127.0.0.1', port: 4100 }],
  ['gate.lab:80', { host: 'gate.lab', port: 80 }],
  ['[::1]:4100', { host: '::1', port: 4100 }],
  [':0', { host: undefined, port: 0 }],
  ['0', { host: undefined, port: 0 }],
])('--listen %s is understood', (text, address) => {
  expect(listenAddress('listen', text)).toEqual(address);
});

test.each(['', 'gate', 'gate:', '::1:80', 'gate:65536', 'a b:80', 'http://h:80', 'gate:-1'])(
  '--listen "%s" is refused',
  (text) => {
    expect(() => listenAddress('listen', text)).toThrow(
      `--listen: found "${text}"; expected HOST:PORT such as 127.0.0.1:4100 or [::1]:4100, with a port from 0 to 65535`,
    );
  },
);

test('numbers outside what is allowed are refused with it', () => {
  expect(wholeNumber('ranks', '8', { min: 1, max: 64 })).toBe(8);
  for (const text of ['0', '65', '1.5', '-1', 'x', '', '1e1']) {
    expect(() => wholeNumber('ranks', text, { min: 1, max: 64 })).toThrow(
      `--ranks: found "${text}"; expected a whole number from 1 to 64`,
    );
  }
  expect(() => wholeNumber('n', '0', { min: 1 })).toThrow('expected a whole number from 1');
  expect(['1', '0.5', '.5', '10'].map((text) => positiveNumber('speed', text))).toEqual([1, 0.5, 0.5, 10]);
  for (const text of ['0', '-1', '1.', 'Infinity', 'fast']) {
    expect(() => positiveNumber('speed', text)).toThrow(`found "${text}"; expected a number above 0`);
  }
});

test('a word of a closed list is named with the nearest one', () => {
  expect(oneOf('kind', 'vllm', ['vllm', 'sglang'])).toBe('vllm');
  expect(() => oneOf('kind', 'slang', ['vllm', 'sglang'])).toThrow(
    '--kind: found "slang"; did you mean "sglang"? allowed: vllm, sglang',
  );
});

test('an engine URL with a password is refused without showing it', () => {
  expect(() => engineUrl('engine', 'http://u:hunter2@h')).toThrow('--engine: found "http://***@h"; ');
});
