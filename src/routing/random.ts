import type { Random } from '../kit/random.ts';
import { drawOne } from './draw.ts';
import type { Policy } from './policy.ts';

/** Any of them: what other policies are compared with. */
export function randomPolicy(random: Random): Policy {
  return {
    name: 'random',
    pick: (candidates) => ({
      engine: drawOne(candidates, random),
      reason: candidates.length === 1 ? 'only-candidate' : 'random',
    }),
  };
}
