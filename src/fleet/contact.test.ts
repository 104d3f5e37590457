import { expect, test } from 'vitest';
import {
  badSince,
  type Contact,
  healthy,
  missed,
  noContact,
  reached,
  refused,
  stillLoading,
} from './contact.ts';

const sign = (at = 0, reason = 'r', limit = 3) => ({ at, reason, limit });
const thrice = (change: (before: Contact, at: number) => Contact, from: Contact): Contact =>
  [1, 2, 3].reduce(change, from);

test('an engine never reached becomes down with the third miss', () => {
  const second = missed(missed(noContact, sign(1, 'a')), sign(2, 'b'));
  expect(second).toMatchObject({ health: 'unknown', missesInARow: 2, reason: 'b' });
  expect(missed(second, sign(3, 'c'))).toMatchObject({ health: 'down', missesInARow: 3, reason: 'c' });
});

test('how many misses it takes can be set', () => {
  expect(missed(healthy(), sign(1, 'a', 1)).health).toBe('down');
});

test('loading forgives misses, keeps its reason, and a page alone does not end it', () => {
  const loading = stillLoading('Loading model');
  expect(loading).toMatchObject({ health: 'loading', missesInARow: 0, reason: 'Loading model' });
  expect(missed(loading, sign()).health).toBe('loading');
  expect(reached(loading).health).toBe('loading');
  expect(reached(thrice((before, at) => missed(before, sign(at)), loading)).health).toBe('loading');
});

test('a success leaves no reason and no misses', () => {
  expect(reached(missed(healthy(), sign()))).toEqual(healthy());
  expect(healthy()).toMatchObject({ health: 'up', missesInARow: 0, reason: undefined });
});

test('an engine whose health path refuses is down though its page comes, until that path says otherwise', () => {
  const refusing = thrice((before, at) => reached(refused(before, sign(at, 'answered 503'))), healthy());
  expect(refusing).toMatchObject({ health: 'down', refusalsInARow: 3, reason: 'answered 503' });
  expect(reached(missed(refusing, sign(9))).health).toBe('down');
  expect(healthy().health).toBe('up');
});

test('two refusals leave it up', () => {
  const twice = reached(refused(refused(healthy(), sign(1)), sign(2)));
  expect(twice).toMatchObject({ health: 'up', refusalsInARow: 2 });
});

test('an engine that is down has been so since the first of the signs that make it so', () => {
  let contact = healthy();
  const since: (number | undefined)[] = [];
  for (const at of [10, 20, 30, 40]) {
    contact = missed(contact, sign(at));
    since.push(badSince(contact, 3));
  }
  expect(since).toEqual([undefined, undefined, 10, 20]);
  expect(badSince(reached(contact), 3)).toBeUndefined();
});
