/**
 * The hash of a block that follows `previous`: it stands for the block's tokens and all before them,
 * so that equal hashes mean equal prefixes. 53 bits, since a long run of a fleet sees millions of
 * blocks and 32 bits would give false hits.
 */
export function chainHash(previous: number, seed: number): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (const word of [previous, previous / 2 ** 32, seed, seed / 2 ** 32]) {
    low = Math.imul(low ^ word, 0x9e3779b1);
    high = Math.imul(high ^ word, 0x5f356495);
    low ^= high >>> 15;
    high ^= low >>> 13;
  }
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  return (high & 0x1fffff) * 2 ** 32 + (low >>> 0);
}
