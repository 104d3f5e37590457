import type { Health } from './engine-view.ts';

/** Misses in a row after which an engine counts as down and its series vanish. */
export const MISSES_UNTIL_DOWN = 3;

/** How contact with one engine stands: the outcome of scrapes, health looks and connection attempts. */
export interface Contact {
  readonly health: Health;
  readonly missesInARow: number;
  /** Why the last one failed, in words; absent after a success. */
  readonly reason: string | undefined;
}

export const noContact: Contact = { health: 'unknown', missesInARow: 0, reason: undefined };

export function reached(): Contact {
  return { health: 'up', missesInARow: 0, reason: undefined };
}

/** It answered that it loads its model: not a miss, but nothing may be sent. */
export function stillLoading(reason: string): Contact {
  return { health: 'loading', missesInARow: 0, reason };
}

export function missed(before: Contact, reason: string): Contact {
  const missesInARow = before.missesInARow + 1;
  const lost = missesInARow >= MISSES_UNTIL_DOWN;
  return { health: lost ? 'down' : before.health, missesInARow, reason };
}
