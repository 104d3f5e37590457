import { expect, test } from 'vitest';
import { missed, noContact, reached, stillLoading } from './contact.ts';

test('an engine never reached becomes down with the third miss', () => {
  const second = missed(missed(noContact, 'a'), 'b');
  expect(second).toEqual({ health: 'unknown', missesInARow: 2, reason: 'b' });
  expect(missed(second, 'c')).toEqual({ health: 'down', missesInARow: 3, reason: 'c' });
});

test('loading forgives misses and keeps its reason', () => {
  expect(stillLoading('Loading model')).toEqual({
    health: 'loading',
    missesInARow: 0,
    reason: 'Loading model',
  });
  expect(missed(stillLoading('Loading model'), 'gone').health).toBe('loading');
});

test('a success leaves no reason', () => {
  expect(reached()).toEqual({ health: 'up', missesInARow: 0, reason: undefined });
});
