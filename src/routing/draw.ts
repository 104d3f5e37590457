import type { Random } from '../kit/random.ts';

/** One of a list that has at least one, each as likely as the other. */
export function drawOne<T>(from: readonly [T, ...T[]], random: Random): T {
  return from[Math.floor(random() * from.length)] ?? from[0];
}
