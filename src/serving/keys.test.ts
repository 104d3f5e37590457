import { expect, test } from 'vitest';

import { checkKey, type Guard, type Keys, noKeys } from './keys.ts';

const keys: Keys = { client: ['client-1', 'client-2'], scrape: ['scrape-1'], admin: ['admin-1'] };

function passes(headers: Record<string, string>, guard: Guard, given: Keys = keys): boolean {
  try {
    checkKey(headers, guard, given);
    return true;
  } catch {
    return false;
  }
}

test.each([
  ['client', 'client-1', true],
  ['client', 'client-2', true],
  ['client', 'scrape-1', false],
  ['client', 'client-', false],
  ['client', 'client-11', false],
  ['scrape', 'client-1', true],
  ['scrape', 'scrape-1', true],
  ['scrape', 'admin-1', true],
  ['scrape', 'nobody', false],
  ['admin', 'admin-1', true],
  ['admin', 'client-1', false],
  ['open', 'nobody', true],
] as const)('guard %s and key %s: %s', (guard, key, expected) => {
  expect(passes({ authorization: `Bearer ${key}` }, guard)).toBe(expected);
  expect(passes({ 'x-api-key': key }, guard)).toBe(expected);
});

test('the word Bearer is read in any case', () => {
  expect(passes({ authorization: 'bEARER client-1' }, 'client')).toBe(true);
  expect(passes({ authorization: 'Basic client-1' }, 'client')).toBe(false);
  expect(passes({ authorization: 'client-1' }, 'client')).toBe(false);
});

test('one header that fits is enough, whatever the other says', () => {
  expect(passes({ authorization: 'Bearer nobody', 'x-api-key': 'client-1' }, 'client')).toBe(true);
});

test('without keys everything is open', () => {
  for (const guard of ['open', 'client', 'scrape', 'admin'] as const)
    expect(passes({}, guard, noKeys)).toBe(true);
});

test('a scrape key alone closes the pages and leaves requests open', () => {
  const only: Keys = { client: [], scrape: ['s'], admin: [] };
  expect(passes({}, 'scrape', only)).toBe(false);
  expect(passes({}, 'client', only)).toBe(true);
});

test('without admin keys a client key opens admin actions', () => {
  expect(passes({ 'x-api-key': 'c' }, 'admin', { client: ['c'], scrape: ['s'], admin: [] })).toBe(true);
  expect(passes({ 'x-api-key': 's' }, 'admin', { client: ['c'], scrape: ['s'], admin: [] })).toBe(false);
});

test('a refusal does not repeat the key', () => {
  expect(() => checkKey({ 'x-api-key': 'sk-wrong-9' }, 'client', keys)).toThrow(/^(?!.*sk-wrong-9)/);
  expect(() => checkKey({}, 'client', keys)).toThrow(/An API key is needed/);
});
