import type { EngineView } from '../fleet/engine-view.ts';
import { hash32 } from '../kit/hash.ts';
import type { Random } from '../kit/random.ts';
import { leastRequests } from './least-requests.ts';
import type { Candidates, Policy } from './policy.ts';

/**
 * The turns of one conversation go to one engine, whose cache has its beginning. Rendezvous hashing: when an engine
 * comes or goes only the conversations that it has or gets are moved. Without a key: as least-requests.
 */
export function sessionHash(random: Random): Policy {
  const otherwise = leastRequests(random);
  return {
    name: 'session-hash',
    pick(candidates, request) {
      const { sessionKey } = request;
      if (candidates.length === 1 || sessionKey === undefined) return otherwise.pick(candidates, request);
      return { engine: highest(candidates, sessionKey), reason: 'session' };
    },
  };
}

/** An engine with a part of its share has that part of its conversations, and gains the others one by one. */
function highest(candidates: Candidates, key: string): EngineView {
  let engine = candidates[0];
  let best = -1;
  for (const candidate of candidates) {
    const drawn = (hash32(`${candidate.name}\n${key}`) + 0.5) / 2 ** 32;
    const score = -candidate.share / Math.log(drawn);
    if (score > best) {
      best = score;
      engine = candidate;
    }
  }
  return engine;
}
