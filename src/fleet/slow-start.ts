/** What even an engine that came a moment ago gets: with nothing nobody would ever learn that it works. */
const LEAST_SHARE = 0.1;

/**
 * How much of its fair part of the requests an engine may have that came (back) at `returnedAt`: a fresh process
 * compiles, has an empty cache, and would else be sent everything at once as the one with the lowest load.
 */
export function shareOf(returnedAt: number | undefined, now: number, slowStartMs: number): number {
  if (returnedAt === undefined || now - returnedAt >= slowStartMs) return 1;
  return Math.max(LEAST_SHARE, (now - returnedAt) / slowStartMs);
}
