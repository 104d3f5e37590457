import { expect, test } from 'vitest';
import { chainHash } from './chain-hash.ts';

test('chain hashes are whole numbers below 2^53 and do not collide over a million neighbours', () => {
  const seen = new Set<number>();
  for (let previous = 0; previous < 1_000; previous += 1) {
    for (let seed = 0; seed < 1_000; seed += 1) seen.add(chainHash(previous, seed));
  }
  expect(seen.size).toBe(1_000_000);
  let largest = 0;
  for (const hash of seen) {
    if (!Number.isSafeInteger(hash) || hash < 0) throw new Error(`${hash}`);
    largest = Math.max(largest, hash);
  }
  expect(largest).toBeGreaterThan(2 ** 52);
});

test('a seed differs by its high bits, its low bits and its place in the chain', () => {
  const hashes = [
    chainHash(0, 1),
    chainHash(0, 2 ** 32 + 1),
    chainHash(0, 2 ** 52 + 1),
    chainHash(1, 0),
    chainHash(2 ** 40, 1),
    chainHash(chainHash(0, 1), 2),
    chainHash(chainHash(0, 2), 1),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});
