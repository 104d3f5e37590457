import { expect, test } from 'vitest';

import { nearest } from './nearest.ts';

const commands = ['serve', 'check', 'doctor', 'sim', 'demo'];

test.each([
  ['serv', 'serve'],
  ['sreve', 'serve'],
  ['Serve', 'serve'],
  ['docter', 'doctor'],
  ['dmeo', 'demo'],
  ['chek', 'check'],
])('%s is taken for %s', (typed, meant) => {
  expect(nearest(typed, commands)).toBe(meant);
});

test.each(['', 'banana', 'x', 'engines'])('nothing is near "%s"', (typed) => {
  expect(nearest(typed, commands)).toBeUndefined();
});

test('the nearest of several wins', () => {
  expect(nearest('keyFil', ['key', 'keyFile', 'kind'])).toBe('keyFile');
});
