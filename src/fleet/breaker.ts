import type { Random } from '../kit/random.ts';

export interface BreakerSettings {
  /** So many faults one after the other open it. */
  readonly faultsInARow: number;
  /** So does this share of faults among what ended within the window, once that is at least so much. */
  readonly faultShare: number;
  readonly windowMs: number;
  readonly leastInWindow: number;
  /** How long it stays open the first time; doubled each time it opens again without having closed. */
  readonly openMs: number;
  readonly openAtMostMs: number;
}

export const defaultBreakerSettings: BreakerSettings = {
  faultsInARow: 5,
  faultShare: 0.5,
  windowMs: 30_000,
  leastInWindow: 20,
  openMs: 5_000,
  openAtMostMs: 60_000,
};

/** `open`: passed over. `half-open`: one request may try it. */
export type BreakerState = 'closed' | 'open' | 'half-open';

export const BREAKER_STATES: readonly BreakerState[] = ['closed', 'open', 'half-open'];

interface Tally {
  readonly ok: number;
  readonly faults: number;
}

/** What requests of ours met at one engine, and whether it may have more of them. Times are monotonic milliseconds. */
export interface Breaker {
  readonly faultsInARow: number;
  /** The window in two halves: the one that runs, and the one before it. */
  readonly halfSince: number;
  readonly thisHalf: Tally;
  readonly lastHalf: Tally;
  /** Absent while closed. */
  readonly open: { readonly since: number; readonly until: number; readonly times: number } | undefined;
  /** The request that tries a half-open engine now. */
  readonly probe: object | undefined;
}

const NOTHING: Tally = { ok: 0, faults: 0 };

export function freshBreaker(now: number): Breaker {
  return {
    faultsInARow: 0,
    halfSince: now,
    thisHalf: NOTHING,
    lastHalf: NOTHING,
    open: undefined,
    probe: undefined,
  };
}

export function breakerState({ open }: Breaker, now: number): BreakerState {
  if (open === undefined) return 'closed';
  return now < open.until ? 'open' : 'half-open';
}

/** Whether another request may go there. */
export function admits(breaker: Breaker, now: number): boolean {
  const state = breakerState(breaker, now);
  return state === 'closed' || (state === 'half-open' && breaker.probe === undefined);
}

/** A request goes to the engine. @param token what tells it from others */
export function sent(breaker: Breaker, token: object, now: number): Breaker {
  const probes = breakerState(breaker, now) === 'half-open' && breaker.probe === undefined;
  return probes ? { ...breaker, probe: token } : breaker;
}

/**
 * The engine began to answer a request well. One that was sent since the breaker opened shows that it works again;
 * one from before shows only that not everything had ended.
 */
export function answered(breaker: Breaker, sentAt: number, now: number): Breaker {
  const { open } = breaker;
  return open === undefined || sentAt < open.since ? breaker : freshBreaker(now);
}

/** An answer came through whole. */
export function succeeded(breaker: Breaker, now: number, settings: BreakerSettings): Breaker {
  const turned = turn(breaker, now, settings);
  const { ok, faults } = turned.thisHalf;
  return { ...turned, faultsInARow: 0, thisHalf: { ok: ok + 1, faults } };
}

/**
 * The engine failed a request. What was sent before it opened says nothing new; a probe that fails opens it for
 * twice as long. The time is drawn from the upper half: several gateways must not try one engine all at once.
 */
export function faulted(
  breaker: Breaker,
  { token, sentAt, now }: { readonly token: object; readonly sentAt: number; readonly now: number },
  settings: BreakerSettings,
  random: Random,
): Breaker {
  const turned = turn(breaker, now, settings);
  const { ok, faults } = turned.thisHalf;
  const counted: Breaker = {
    ...turned,
    faultsInARow: turned.faultsInARow + 1,
    thisHalf: { ok, faults: faults + 1 },
  };
  if (counted.open === undefined) return isTooMuch(counted, settings) ? opened(counted, 1) : counted;
  const tried = counted.probe === token || (counted.open.until <= now && sentAt >= counted.open.since);
  return tried ? opened(counted, counted.open.times + 1) : counted;

  function opened(from: Breaker, times: number): Breaker {
    const openMs = Math.min(settings.openMs * 2 ** (times - 1), settings.openAtMostMs);
    const until = now + openMs * (0.5 + random() / 2);
    return { ...from, open: { since: now, until, times }, probe: undefined };
  }
}

/** The engine was away and is back, a new process most likely: it may be tried at once. */
export function returned(breaker: Breaker, now: number): Breaker {
  const { open } = breaker;
  if (open === undefined || open.until <= now) return breaker;
  return { ...breaker, open: { ...open, until: now } };
}

/** A request is over, whatever came of it: a probe that told nothing leaves its place to another. */
export function ended(breaker: Breaker, token: object): Breaker {
  return breaker.probe === token ? { ...breaker, probe: undefined } : breaker;
}

function isTooMuch(breaker: Breaker, settings: BreakerSettings): boolean {
  if (breaker.faultsInARow >= settings.faultsInARow) return true;
  const faults = breaker.thisHalf.faults + breaker.lastHalf.faults;
  const all = faults + breaker.thisHalf.ok + breaker.lastHalf.ok;
  return all >= settings.leastInWindow && faults / all >= settings.faultShare;
}

function turn(breaker: Breaker, now: number, { windowMs }: BreakerSettings): Breaker {
  const halfMs = windowMs / 2;
  const age = now - breaker.halfSince;
  if (age < halfMs) return breaker;
  const lastHalf = age < windowMs ? breaker.thisHalf : NOTHING;
  return { ...breaker, halfSince: now, thisHalf: NOTHING, lastHalf };
}
