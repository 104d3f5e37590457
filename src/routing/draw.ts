import type { Random } from '../kit/random.ts';

/** One of a list that has at least one, each as likely as the other. */
export function drawOne<T>(from: readonly [T, ...T[]], random: Random): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

/** The same with a weight each, of which at least one is above 0. */
export function drawWeighted<T>(from: readonly [T, ...T[]], weightOf: (one: T) => number, random: Random): T {
  let rest = random() * from.reduce((total, one) => total + weightOf(one), 0);
  for (const one of from) {
    rest -= weightOf(one);
    if (rest < 0) return one;
  }
  return from[0];
}
