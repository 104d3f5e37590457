import type { EngineView } from '../fleet/engine-view.ts';
import type { Random } from '../kit/random.ts';
import { drawOne } from './draw.ts';
import { loadOf } from './load.ts';
import type { Policy } from './policy.ts';

/**
 * The engine with the fewest requests. Of equals one at random: several gateways in front of one fleet would else
 * all begin with the same engine.
 */
export function leastRequests(random: Random): Policy {
  return {
    name: 'least-requests',
    pick(candidates) {
      let lowest = Number.POSITIVE_INFINITY;
      let equals: [EngineView, ...EngineView[]] = [candidates[0]];
      for (const engine of candidates) {
        const load = loadOf(engine);
        if (load < lowest) {
          lowest = load;
          equals = [engine];
        } else if (load === lowest) equals.push(engine);
      }
      const engine = drawOne(equals, random);
      return { engine, reason: reasonOf(engine, candidates.length, equals.length) };
    },
  };
}

function reasonOf(engine: EngineView, candidates: number, equals: number): string {
  if (candidates === 1) return 'only-candidate';
  if (engine.contract === 'stuck' && engine.probeAllowed) return 'probe';
  return equals > 1 ? 'equal-load' : 'lowest-load';
}
