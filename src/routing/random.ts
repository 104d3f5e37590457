import type { Random } from '../kit/random.ts';
import { drawWeighted } from './draw.ts';
import type { Policy } from './policy.ts';

/** Any of them: what other policies are compared with. */
export function randomPolicy(random: Random): Policy {
  return {
    name: 'random',
    pick: (candidates) => ({
      engine: drawWeighted(candidates, ({ share }) => share, random),
      reason: candidates.length === 1 ? 'only-candidate' : 'random',
    }),
  };
}
