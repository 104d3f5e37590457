import { expect, test } from 'vitest';

import { ByteRuns } from './byte-runs.ts';
import { HASH_SEED, mixHash } from './bytes.ts';
import { parseExposition } from './parse.ts';
import { Recall } from './recall.ts';

const hashOf = (bytes: Uint8Array): number => bytes.reduce(mixHash, HASH_SEED);

test('parts of one hash stay apart', () => {
  const page = new TextEncoder().encode('costarring liquid-- costarring liquid-- ');
  const hash = hashOf(page.subarray(0, 10));
  expect(hash).toBe(hashOf(page.subarray(11, 17)));
  const recall = new Recall<string>(new ByteRuns(page));
  recall.add(0, 10, hash, 'costarring');
  expect(recall.find(11, 17, hash)).toBeUndefined();
  recall.add(11, 17, hash, 'liquid');
  expect(recall.find(20, 30, hash)?.value).toBe('costarring');
  expect(recall.find(31, 37, hash)).toBeUndefined();
});

test('on a page, too: as names, labels and values', () => {
  const page = 'declinate{costarring="liquid"} 1\nmacallums{liquid="costarring",declinate="macallums"} 2\n';
  expect(parseExposition(new TextEncoder().encode(page), 'text-0.0.4').samples).toEqual([
    { name: 'declinate', labels: { costarring: 'liquid' }, value: 1 },
    { name: 'macallums', labels: { liquid: 'costarring', declinate: 'macallums' }, value: 2 },
  ]);
});

test('what followed last time is expected, and only where it stands whole', () => {
  const page = new TextEncoder().encode('ab cd ab cd ab c');
  const recall = new Recall<string>(new ByteRuns(page));
  expect(recall.expected(0)).toBeUndefined();
  recall.add(0, 2, 1, 'ab');
  recall.add(3, 5, 2, 'cd');
  expect(recall.find(6, 8, 1)?.value).toBe('ab');
  expect(recall.expected(9)).toMatchObject({ value: 'cd', length: 2 });
  expect(recall.expected(12)).toMatchObject({ value: 'ab' });
  expect(recall.expected(15)).toBeUndefined();
});

test('equal label sets of a page are one object, and a name that only begins alike is another', () => {
  const page = 'a{x="1",y="2"} 1\nab{x="1",y="2"} 2\na{x="1",y="23"} 3\na 4\nab 5\na 6\nabc 7\n';
  const { samples } = parseExposition(new TextEncoder().encode(page), 'text-0.0.4');
  expect(samples.map(({ name, value }) => [name, value])).toEqual([
    ['a', 1],
    ['ab', 2],
    ['a', 3],
    ['a', 4],
    ['ab', 5],
    ['a', 6],
    ['abc', 7],
  ]);
  expect(samples[0]?.labels).toBe(samples[1]?.labels);
  expect(samples[2]?.labels).toEqual({ x: '1', y: '23' });
});
