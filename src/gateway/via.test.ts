import { expect, test } from 'vitest';

import { viaWith } from './via.ts';

test('each gateway adds its own id', () => {
  expect(viaWith(undefined, 'a')).toBe('a');
  expect(viaWith('', 'a')).toBe('a');
  expect(viaWith('a, b', 'c')).toBe('a, b, c');
  expect(viaWith(['a', 'b'], 'c')).toBe('a, b, c');
});

test('a request that was here is refused, one that was at a namesake’s beginning is not', () => {
  expect(() => viaWith('x,a , b', 'a')).toThrow('came back to this gateway');
  expect(viaWith('ab', 'a')).toBe('ab, a');
});

test('so is one that came through eight others', () => {
  expect(viaWith('1,2,3,4,5,6,7', 'a')).toBe('1, 2, 3, 4, 5, 6, 7, a');
  expect(() => viaWith('1,2,3,4,5,6,7,8', 'a')).toThrow('8 gateways');
});
