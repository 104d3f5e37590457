import { expect, test } from 'vitest';
import { BlockCache } from './block-cache.ts';

/** Takes `count` blocks and publishes them as hashes `first`, `first + 1`, ... */
function fill(cache: BlockCache, first: number, count: number) {
  const blocks = cache.acquire([], count) ?? [];
  for (const [at, block] of blocks.entries()) cache.publish(block, first + at);
  return blocks;
}

test('the tail of a released prefix is evicted before its head', () => {
  const cache = new BlockCache(4);
  cache.release(fill(cache, 10, 4));
  cache.acquire([], 1);
  expect(cache.lookup([10, 11, 12, 13], 4)).toHaveLength(3);
  cache.acquire([], 2);
  expect(cache.lookup([10, 11, 12, 13], 4)).toHaveLength(1);
});

test('the request that left first is evicted first', () => {
  const cache = new BlockCache(4);
  const one = fill(cache, 10, 2);
  const other = fill(cache, 20, 2);
  cache.release(other);
  cache.release(one);
  cache.acquire([], 2);
  expect(cache.lookup([20, 21], 2)).toHaveLength(0);
  expect(cache.lookup([10, 11], 2)).toHaveLength(2);
});

test('a shared block stays until its last holder lets go', () => {
  const cache = new BlockCache(3);
  const blocks = fill(cache, 10, 2);
  const shared = cache.acquire(cache.lookup([10, 11], 2), 1) ?? [];
  expect(cache.usedBlocks).toBe(3);
  cache.release(blocks);
  expect(cache.usedBlocks).toBe(3);
  cache.release(shared);
  expect(cache.usedBlocks).toBe(0);
});

test('what was found is not evicted to make room for the rest of the same request', () => {
  const cache = new BlockCache(3);
  cache.release(fill(cache, 10, 2));
  const found = cache.lookup([10, 11], 2);
  expect(cache.acquire(found, 2)).toBeUndefined();
  expect(cache.usedBlocks).toBe(0);
  const held = cache.acquire(found, 1) ?? [];
  expect(new Set(held).size).toBe(3);
  expect(held.slice(0, 2)).toEqual(found);
});

test('of two blocks with the same content the second is found when the first is gone', () => {
  const cache = new BlockCache(2);
  const first = fill(cache, 10, 1);
  const second = fill(cache, 10, 1);
  expect(cache.lookup([10], 1)).toEqual(first);
  cache.release(first);
  cache.acquire([], 1);
  expect(cache.lookup([10], 1)).toEqual(second);
});

test('evicting a block between two others of the same content loses neither', () => {
  const cache = new BlockCache(3);
  const first = fill(cache, 10, 1);
  const second = fill(cache, 10, 1);
  const third = fill(cache, 10, 1);
  for (const gone of [second, first]) {
    cache.release(gone);
    cache.acquire([], 1);
  }
  expect(cache.lookup([10], 1)).toEqual(third);
});

test('a cache without a block is refused', () => {
  expect(() => new BlockCache(0)).toThrow('a KV cache needs at least one block, not 0');
});
