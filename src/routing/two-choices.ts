import type { EngineView } from '../fleet/engine-view.ts';
import type { Random } from '../kit/random.ts';
import { drawOne } from './draw.ts';
import { loadOf } from './load.ts';
import type { Candidates, Policy } from './policy.ts';

/**
 * Two engines at random, the less loaded one wins. Where several gateways share a fleet none knows what the others
 * sent since the last scrape: going to the minimum makes them all go to one engine, two choices do not.
 */
export function twoChoices(random: Random): Policy {
  return {
    name: 'two-choices',
    pick(candidates) {
      const [one, other] = drawTwo(candidates, random);
      if (other === undefined) return { engine: one, reason: 'only-candidate' };
      return loadOf(other) < loadOf(one)
        ? { engine: other, reason: 'lower-load' }
        : { engine: one, reason: loadOf(one) === loadOf(other) ? 'equal-load' : 'lower-load' };
    },
  };
}

function drawTwo(candidates: Candidates, random: Random): readonly [EngineView, EngineView | undefined] {
  const one = drawOne(candidates, random);
  if (candidates.length === 1) return [one, undefined];
  // Any step from 1 to length - 1 lands on a different engine.
  const step = 1 + Math.floor(random() * (candidates.length - 1));
  return [one, candidates[(candidates.indexOf(one) + step) % candidates.length]];
}
