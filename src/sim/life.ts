import type { FinishReason, RequestEvent } from './model/engine-event.ts';

/** What a request asked for, as far as the engine's work and figures depend on it. */
export interface Work {
  readonly promptTokens: number;
  /** See `RequestSpec`: one number for the content of each block. */
  readonly promptBlocks: readonly number[];
  readonly outputTokens: number;
  readonly finishReason: FinishReason;
  /** The limit it asked for, or what the context left. */
  readonly maxTokens: number;
  readonly streamed: boolean;
  /** The adapter it asked for. */
  readonly adapter?: string;
}

/**
 * One request from arrival to end. Changed in place as its events are published. Milliseconds of the caller's
 * clock: an engine at ten times the speed really is that fast, in its own figures too.
 */
export interface Life {
  readonly id: string;
  readonly rank: number;
  readonly work: Work;
  arrivedMs: number;
  scheduledMs: number | undefined;
  firstTokenMs: number | undefined;
  lastTokenMs: number | undefined;
  cachedTokens: number;
  tokens: number;
  /** By speculation. */
  draftedTokens: number;
  acceptedTokens: number;
  preemptions: number;
}

export function beginLife(id: string, rank: number, work: Work, arrivedMs: number): Life {
  return {
    id,
    rank,
    work,
    arrivedMs,
    scheduledMs: undefined,
    firstTokenMs: undefined,
    lastTokenMs: undefined,
    cachedTokens: 0,
    tokens: 0,
    draftedTokens: 0,
    acceptedTokens: 0,
    preemptions: 0,
  };
}

/** Notes what an event changes; after whoever measures gaps has seen the life as it was before. */
export function advanceLife(life: Life, event: RequestEvent): void {
  if (event.type === 'queued') {
    // A step may begin at the moment the one before was due, a little before the timer that ends it fires.
    life.arrivedMs = Math.min(life.arrivedMs, event.atMs);
  } else if (event.type === 'scheduled' && event.first) {
    life.scheduledMs = event.atMs;
    life.cachedTokens = event.cachedTokens;
  } else if (event.type === 'preempted') {
    life.preemptions += 1;
  } else if (event.type === 'tokens') {
    life.firstTokenMs ??= event.atMs;
    life.lastTokenMs = event.atMs;
    life.tokens += event.count;
    life.draftedTokens += event.draftedTokens;
    if (event.draftedTokens > 0) life.acceptedTokens += event.count - 1;
  }
}
