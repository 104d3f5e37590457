/** A number in [0, 1). Passed in, so that a seed repeats a run. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/** A small repeatable generator (splitmix32): the same seed gives the same run on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  };
}
