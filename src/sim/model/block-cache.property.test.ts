import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BlockCache } from './block-cache.ts';
import type { Block } from './free-queue.ts';

/** The same cache with plain lists: slow, and obvious. */
class ListCache {
  readonly free: number[];
  readonly references = new Map<number, number>();
  /** Findable blocks, oldest first. */
  published: { readonly index: number; readonly hash: number }[] = [];

  constructor(totalBlocks: number) {
    this.free = Array.from({ length: totalBlocks }, (_, index) => index);
  }

  lookup(hashes: readonly number[], limit: number): number[] {
    const found: number[] = [];
    for (const hash of hashes.slice(0, limit)) {
      const entry = this.published.find((one) => one.hash === hash);
      if (entry === undefined) break;
      found.push(entry.index);
    }
    return found;
  }

  acquire(cached: readonly number[], freshBlocks: number, keepFree: number): number[] | undefined {
    const free = this.free.filter((index) => !cached.includes(index));
    if (free.length - freshBlocks < keepFree) return undefined;
    const fresh = free.splice(0, freshBlocks);
    this.free.splice(0, this.free.length, ...free);
    this.published = this.published.filter(({ index }) => !fresh.includes(index));
    for (const index of [...cached, ...fresh]) {
      this.references.set(index, (this.references.get(index) ?? 0) + 1);
    }
    return [...cached, ...fresh];
  }

  release(held: readonly number[]): void {
    for (const index of held.toReversed()) {
      const left = (this.references.get(index) ?? 0) - 1;
      this.references.set(index, left);
      if (left === 0) this.free.push(index);
    }
  }
}

const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('acquire' as const),
      // Few different contents, in chains of a shared start: many hits, many twins.
      family: fc.nat(1),
      length: fc.integer({ min: 1, max: 4 }),
      lookupLimit: fc.constantFrom(0, 0, 1, 2, 4),
      keepFree: fc.nat(2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('release' as const), which: fc.nat(9) }) },
);

test('the linked cache finds, evicts and counts as a cache of plain lists', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 14 }),
      fc.array(action, { maxLength: 60 }),
      (totalBlocks, actions) => {
        const cache = new BlockCache(totalBlocks);
        const lists = new ListCache(totalBlocks);
        const held: Block[][] = [];
        for (const one of actions) {
          if (one.act === 'release') {
            const [blocks] = held.splice(one.which % Math.max(1, held.length), 1);
            if (blocks === undefined) continue;
            cache.release(blocks);
            lists.release(blocks.map(({ index }) => index));
          } else {
            const hashes = Array.from({ length: one.length }, (_, at) => one.family * 100 + at);
            const found = cache.lookup(hashes, one.lookupLimit);
            const expectedFound = lists.lookup(hashes, one.lookupLimit);
            expect(found.map(({ index }) => index)).toEqual(expectedFound);
            const fresh = one.length - found.length;
            const blocks = cache.acquire(found, fresh, one.keepFree);
            expect(blocks?.map(({ index }) => index)).toEqual(
              lists.acquire(expectedFound, fresh, one.keepFree),
            );
            if (blocks === undefined) continue;
            for (const [at, block] of blocks.entries()) {
              if (at < found.length) continue;
              cache.publish(block, one.family * 100 + at);
              lists.published.push({ index: block.index, hash: one.family * 100 + at });
            }
            held.push(blocks);
          }
          expect(cache.freeBlocks).toBe(lists.free.length);
          expect(cache.usedBlocks).toBe(new Set(held.flat()).size);
          for (const block of held.flat()) {
            expect(block.references).toBe(held.flat().filter((other) => other === block).length);
          }
        }
        // What is left in the free queue comes out in the same order.
        const rest = cache.acquire([], cache.freeBlocks);
        expect(rest?.map(({ index }) => index)).toEqual(lists.free);
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});
