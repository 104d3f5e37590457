import type { Random } from '../kit/random.ts';
import { leastRequests } from './least-requests.ts';
import type { Policy } from './policy.ts';
import { randomPolicy } from './random.ts';
import { roundRobin } from './round-robin.ts';
import { sessionHash } from './session-hash.ts';
import { twoChoices } from './two-choices.ts';

/** Every policy by the name it has in the configuration; the first is the default. */
export const policies = {
  'least-requests': leastRequests,
  'two-choices': twoChoices,
  'session-hash': sessionHash,
  'round-robin': roundRobin,
  random: randomPolicy,
} as const satisfies Readonly<Record<string, (random: Random) => Policy>>;

export type PolicyName = keyof typeof policies;
