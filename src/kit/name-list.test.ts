import { expect, test } from 'vitest';
import { nameList } from './name-list.ts';
import { shorten } from './shorten.ts';

test('a few names stand as they are', () => {
  expect(nameList([])).toBe('');
  expect(nameList(['a', 'b'])).toBe('a, b');
});

test('of many names twenty stand, of a long one its beginning', () => {
  const names = ['x'.repeat(4_000_000), ...Array.from({ length: 9_999 }, (_, at) => `m${at}`)];
  const list = nameList(names);
  expect(list).toMatch(/^x{127}…, m0, m1, /);
  expect(list).toMatch(/, m18 and 9980 more$/);
});

test('a text is cut between two characters', () => {
  expect(shorten('ab😀', 4)).toBe('ab😀');
  expect(shorten('ab😀c', 4)).toBe('ab…');
  expect(shorten('abc', 3)).toBe('abc');
  expect(shorten('abcd', 3)).toBe('ab…');
});
