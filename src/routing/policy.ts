import type { EngineView } from '../fleet/engine-view.ts';

/** At least one engine that may serve the request. */
export type Candidates = readonly [EngineView, ...EngineView[]];

/** What a policy may know of a request. */
export interface RequestFacts {
  readonly model: string;
  /** What keeps a conversation together; absent when the request has nothing to tell it by. */
  readonly sessionKey: string | undefined;
}

/** Why this engine: `lowest-load`, `only-candidate`, `session`, `turn`, `random`, ... a closed list per policy. */
export interface Pick {
  readonly engine: EngineView;
  readonly reason: string;
}

/** Picks one of the candidates and never anything else. */
export interface Policy {
  readonly name: string;
  pick(candidates: Candidates, request: RequestFacts): Pick;
}

/** One candidate as it looked when the choice was made. */
export interface CandidateRecord {
  readonly engine: string;
  readonly load: number;
  readonly running: number | undefined;
  readonly waiting: number | undefined;
  readonly kvUsage: number | undefined;
  readonly inFlight: number;
  /** Ours that the report of `running` and `waiting` cannot know of: with them the load can be worked out again. */
  readonly sentSinceReport: number;
  readonly finishedSinceReport: number;
  readonly signalsAgeMs: number | undefined;
  readonly contract: string;
  readonly health: string;
  readonly breaker: string;
  /** Below 1 while it is new or came back a moment ago: its load counts for more. */
  readonly share: number;
}

/** A choice as kept for a person who asks why. */
export interface Choice {
  /** Unix milliseconds. */
  readonly at: number;
  readonly requestId: string;
  readonly model: string;
  readonly policy: string;
  readonly engine: string;
  readonly reason: string;
  /** 1 for the first try of a request, 2 for the second, ... */
  readonly attempt: number;
  readonly candidates: readonly CandidateRecord[];
  /** Engines that serve the model and were not candidates, and why. */
  readonly excluded: readonly { readonly engine: string; readonly reason: string }[];
}
