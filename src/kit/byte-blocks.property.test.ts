import fc from 'fast-check';
import { expect, test } from 'vitest';

import { bytesOneByOne, heldBytes } from '../../test/kit/held-bytes.ts';
import { ByteBlocks } from './byte-blocks.ts';

const sizes = fc.oneof(
  fc.integer({ min: 0, max: 40 }),
  fc.constantFrom(16_383, 16_384, 16_385, 65_535, 65_536, 70_000),
);

test('what was given is there in one piece, however it was cut and whenever that is asked for', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 30 }), fc.nat(30), (cuts, asked) => {
      const blocks = new ByteBlocks();
      const all: Buffer[] = [];
      for (const [at, size] of cuts.entries()) {
        const chunk = Buffer.alloc(size, at + 1);
        all.push(chunk);
        blocks.add(chunk);
        if (at === asked) expect(blocks.whole().equals(Buffer.concat(all))).toBe(true);
      }
      const whole = Buffer.concat(all);
      expect(blocks.size).toBe(whole.byteLength);
      expect(blocks.whole().equals(whole)).toBe(true);
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('after it was cleared it holds what came since', () => {
  const blocks = new ByteBlocks();
  blocks.add(Buffer.from('before'));
  blocks.clear();
  blocks.add(Buffer.from('since'));
  expect([blocks.size, blocks.whole().toString()]).toEqual([5, 'since']);
});

test('single bytes between large chunks take no block each', () => {
  const blocks = new ByteBlocks();
  const large = Buffer.alloc(16_384);
  const before = heldBytes();
  for (let at = 0; at < 2_000; at += 1) {
    blocks.add(large);
    blocks.add(Buffer.alloc(1));
  }
  // A block for each byte is 130 MB.
  expect(heldBytes() - before).toBeLessThan(60_000_000);
});

test('bytes that come one by one take about what they weigh, each a view of a large buffer or not', () => {
  const blocks = new ByteBlocks();
  const before = heldBytes();
  for (const byte of bytesOneByOne(2_000_000, 32)) blocks.add(byte);
  // As views: 260 MB of buffers and 200 MB of objects. What is not collected yet counts here too.
  expect(heldBytes() - before).toBeLessThan(100_000_000);
  expect(blocks.size).toBe(2_000_000);
});
