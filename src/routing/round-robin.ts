import type { Policy } from './policy.ts';

/**
 * Each engine in its turn. Turns go by when an engine was last picked, not by position: the list of candidates
 * differs from model to model and moment to moment, and a position in it would favour some engines.
 */
export function roundRobin(): Policy {
  const pickedAt = new Map<string, number>();
  let picks = 0;
  return {
    name: 'round-robin',
    pick(candidates) {
      let engine = candidates[0];
      for (const other of candidates) {
        if ((pickedAt.get(other.name) ?? 0) < (pickedAt.get(engine.name) ?? 0)) engine = other;
      }
      picks += 1;
      pickedAt.set(engine.name, picks);
      return { engine, reason: candidates.length === 1 ? 'only-candidate' : 'turn' };
    },
  };
}
