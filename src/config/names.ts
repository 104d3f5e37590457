import { profiles } from '../engines/index.ts';
import { type PolicyName, policies } from '../routing/index.ts';

/** The words a config may use: a new kind or policy is here as soon as it is in its own list. */
export const kindNames: readonly string[] = profiles.map(({ kind }) => kind);
export const policyNames = Object.keys(policies) as readonly PolicyName[];
