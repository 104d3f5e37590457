import { expect, test } from 'vitest';

import { seededRandom } from '../../kit/random.ts';
import { BlockWatch } from './block-watch.ts';

function watching(share: number): BlockWatch {
  return new BlockWatch(share, seededRandom(1));
}

test('a block that nobody came back to lived as long as it lay idle', () => {
  const watch = watching(1);
  watch.at(100);
  watch.taken(7);
  watch.at(350);
  watch.evicted(7);
  expect(watch.drain()).toEqual([
    { type: 'evicted', atMs: 350, lifetimeMs: 250, idleMs: 250, reuseGapsMs: [] },
  ]);
  expect(watch.drain()).toEqual([]);
});

test('being taken is no use, and of many uses the last four count', () => {
  const watch = watching(1);
  watch.taken(7);
  for (const ms of [10, 30, 60, 100, 150]) {
    watch.at(ms);
    watch.used(7);
  }
  watch.at(170);
  watch.evicted(7);
  expect(watch.drain()).toMatchObject([{ lifetimeMs: 170, idleMs: 20, reuseGapsMs: [30, 40, 50] }]);
});

test('a share of the blocks is watched, and of the others nothing is heard', () => {
  const watch = watching(0.1);
  for (let block = 0; block < 1000; block += 1) watch.taken(block);
  for (let block = 0; block < 1000; block += 1) {
    watch.used(block);
    watch.evicted(block);
  }
  const { length } = watch.drain();
  expect(length).toBeGreaterThan(70);
  expect(length).toBeLessThan(130);
});
