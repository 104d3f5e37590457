import type { ServedModel } from '../engines/models.ts';
import type { Api } from '../engines/profile.ts';
import type { Signals } from '../engines/signals.ts';
import type { BreakerState } from './breaker.ts';

/**
 * How far an engine's page can be trusted.
 * `complete`: every signal its profile names. `partial`: one beside running and waiting is absent.
 * `blind`: running or waiting is absent though the profile names it. `stuck`: it claims work that does not move.
 * `malformed`: its page is not what it says. `none`: its kind has no metrics. `unseen`: never scraped, or lost.
 */
export type ContractState = 'complete' | 'partial' | 'blind' | 'stuck' | 'malformed' | 'none' | 'unseen';

export const CONTRACT_STATES: readonly ContractState[] = [
  'complete',
  'partial',
  'blind',
  'stuck',
  'malformed',
  'none',
  'unseen',
];

/**
 * What is known of an engine's models. `read`: they are those in `models`, none included. `unread`: it has not told any
 * yet, so it may well serve one that nobody knows. `key-refused`: its list wants another key than it was shown.
 */
export type ListState = 'read' | 'unread' | 'key-refused';

/** `unknown`: no contact yet. `down`: three scrapes or contacts in a row failed. */
export type Health = 'unknown' | 'up' | 'loading' | 'down';

/** One engine at one moment, as decisions see it: plain values that do not change half-way. */
export interface EngineView {
  readonly name: string;
  readonly kind: string;
  readonly runtime: string;
  readonly health: Health;
  readonly contract: ContractState;
  readonly models: readonly ServedModel[];
  readonly listState: ListState;
  /** What its kind serves; absent where the kind is not known for sure: then it may serve anything. */
  readonly apis: readonly Api[] | undefined;
  /** As last reported; absent while nothing was, or when the report is lost (three misses). */
  readonly signals: Signals | undefined;
  /** Milliseconds since the engine rendered those signals; absent with them. */
  readonly signalsAgeMs: number | undefined;
  /** Requests of ours that the engine has and has not answered to the end. */
  readonly inFlight: number;
  /** Of ours, since that report was made: what it cannot know of yet. */
  readonly sentSinceReport: number;
  readonly finishedSinceReport: number;
  /** A stuck engine with nothing of ours may be tried with one request. */
  readonly probeAllowed: boolean;
  /** What our own requests met there. */
  readonly breaker: BreakerState;
  /** False while open, and while another request tries a half-open one. */
  readonly breakerAdmits: boolean;
  /** Of its fair part of the requests, 0 to 1: below 1 while it is new or came back a moment ago. */
  readonly share: number;
}
