import type { EngineView } from '../fleet/engine-view.ts';
import type { Policy } from './policy.ts';

/**
 * Each engine in its turn. Turns go by when an engine was last picked, not by position: the list of candidates
 * differs from model to model and moment to moment, and a position in it would favour some engines. An engine with half
 * a share waits twice as long for its turn.
 */
export function roundRobin(): Policy {
  const pickedAt = new Map<string, number>();
  let picks = 0;
  const waited = ({ name, share }: EngineView): number => (picks + 1 - (pickedAt.get(name) ?? 0)) * share;
  return {
    name: 'round-robin',
    pick(candidates) {
      let engine = candidates[0];
      for (const other of candidates) if (waited(other) > waited(engine)) engine = other;
      picks += 1;
      pickedAt.set(engine.name, picks);
      return { engine, reason: candidates.length === 1 ? 'only-candidate' : 'turn' };
    },
  };
}
