import { expect, test } from 'vitest';

import { seededRandom } from '../kit/random.ts';
import { freshRequestId, requestIdOf } from './request-id.ts';

test.each([
  ['abc-123', 'abc-123'],
  ['{trace:1}', '{trace:1}'],
  ['x'.repeat(128), 'x'.repeat(128)],
  ['x'.repeat(129), 'fresh'],
  ['', 'fresh'],
  ['two words', 'fresh'],
  ['a"b', 'fresh'],
  ["a'b", 'fresh'],
  ['é', 'fresh'],
  ['a\tb', 'fresh'],
])('the client id %j is used as %j', (given, expected) => {
  expect(requestIdOf({ 'x-request-id': given }, () => 'fresh')).toBe(expected);
});

test('without one a fresh id is made', () => {
  expect(requestIdOf({}, () => 'fresh')).toBe('fresh');
});

test('fresh ids differ and are acceptable themselves', () => {
  const random = seededRandom(1);
  const ids = new Set(Array.from({ length: 1000 }, () => freshRequestId(random)));
  expect(ids.size).toBe(1000);
  for (const id of ids) {
    expect(id).toMatch(/^req-[0-9a-v]{16}$/);
    expect(requestIdOf({ 'x-request-id': id }, () => 'no')).toBe(id);
  }
});
