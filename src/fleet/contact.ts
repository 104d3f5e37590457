import type { Health } from './engine-view.ts';

/** Misses or refusals in a row after which an engine counts as down, unless configured. */
export const MISSES_UNTIL_DOWN = 3;

/** How contact with one engine stands: the outcome of scrapes, health looks and connection attempts. */
export interface Contact {
  readonly health: Health;
  /** Nobody answered. */
  readonly missesInARow: number;
  /** Its health path said that it cannot serve, or said nothing while its page came. */
  readonly refusalsInARow: number;
  /**
   * What only a good word of its health path ends: a page is served by some kinds while the engine behind it still
   * loads, or is dead.
   */
  readonly heldBy: 'loading' | 'refusal' | undefined;
  /** When the last of these were, oldest first: as many as it takes to be down. Monotonic milliseconds. */
  readonly badSigns: readonly number[];
  /** Why the last one failed, in words; absent after a success. */
  readonly reason: string | undefined;
}

export interface BadSign {
  readonly reason: string;
  readonly at: number;
  /** So many in a row are enough. */
  readonly limit: number;
}

export const noContact: Contact = {
  health: 'unknown',
  missesInARow: 0,
  refusalsInARow: 0,
  heldBy: undefined,
  badSigns: [],
  reason: undefined,
};

/** It served its page. */
export function reached(before: Contact): Contact {
  if (before.refusalsInARow === 0 && before.heldBy === undefined) return healthy();
  const health = before.heldBy === 'loading' ? 'loading' : before.heldBy === 'refusal' ? 'down' : 'up';
  return { ...before, health, missesInARow: 0 };
}

/** Its health path said that all is well. */
export function healthy(): Contact {
  return { ...noContact, health: 'up' };
}

/** It answered that it loads its model: not a miss, but nothing may be sent. */
export function stillLoading(reason: string): Contact {
  return { ...noContact, health: 'loading', heldBy: 'loading', reason };
}

export function missed(before: Contact, sign: BadSign): Contact {
  const missesInARow = before.missesInARow + 1;
  const health = missesInARow >= sign.limit ? 'down' : before.health;
  return { ...before, ...noted(before, sign), health, missesInARow };
}

export function refused(before: Contact, sign: BadSign): Contact {
  const refusalsInARow = before.refusalsInARow + 1;
  const after = { ...before, ...noted(before, sign), refusalsInARow };
  return refusalsInARow >= sign.limit ? { ...after, health: 'down', heldBy: 'refusal' } : after;
}

/** Since when an engine that is down has given enough bad signs and no good one; absent while it is not down. */
export function badSince({ health, badSigns }: Contact, limit: number): number | undefined {
  return health === 'down' && badSigns.length >= limit ? badSigns[0] : undefined;
}

function noted({ badSigns }: Contact, { reason, at, limit }: BadSign): Pick<Contact, 'badSigns' | 'reason'> {
  return { badSigns: [...badSigns, at].slice(-limit), reason };
}
