/** `abort`: the client left, or the engine gave it up; `error`: the engine failed on it. */
export type FinishReason = 'stop' | 'length' | 'abort' | 'error';

/** What every event of one request carries. */
interface OfRequest {
  /** When it takes effect, on the caller's clock: the step's start or its end. */
  readonly atMs: number;
  readonly id: string;
}

/** At the step's start. */
export interface QueuedEvent extends OfRequest {
  readonly type: 'queued';
}

/** At the step's start: it left the queue and is in this step's batch. */
export interface ScheduledEvent extends OfRequest {
  readonly type: 'scheduled';
  /** Time since it was queued, or since its preemption when it is not the first scheduling. */
  readonly queuedMs: number;
  /** Tokens looked up in the prefix cache, and how many were found. */
  readonly queriedTokens: number;
  readonly cachedTokens: number;
  /** False after a preemption: vLLM counts those lookups apart. */
  readonly first: boolean;
}

/** At the step's start: it lost its blocks and waits at the head of the queue; what it generated stays. */
export interface PreemptedEvent extends OfRequest {
  readonly type: 'preempted';
}

/** At the end of the step that completed the prompt; once per request, just before its first token. */
export interface PrefilledEvent extends OfRequest {
  readonly type: 'prefilled';
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Since its first scheduling. */
  readonly prefillMs: number;
}

/** At the step's end. */
export interface TokensEvent extends OfRequest {
  readonly type: 'tokens';
  readonly count: number;
  readonly firstToken: boolean;
  /** Tokens drafted for it; all but one of `count` are accepted ones. 0 without speculation. */
  readonly draftedTokens: number;
}

/** At the step's end; when the client left, at its start. */
export interface FinishedEvent extends OfRequest {
  readonly type: 'finished';
  readonly reason: FinishReason;
  readonly promptTokens: number;
  readonly outputTokens: number;
  /** Prefix found when it was first scheduled. */
  readonly cachedTokens: number;
}

/** At the step's end, last of its events; absent when nothing was computed. */
export interface StepEvent {
  readonly type: 'step';
  readonly atMs: number;
  /** Prefill tokens, repeated ones included; cached ones not. */
  readonly computedTokens: number;
  readonly generatedTokens: number;
  readonly batchSequences: number;
  /** All tokens of the batch: prefill chunks, one per decoding sequence, and drafts. */
  readonly batchTokens: number;
}

/** At the step's start, of a watched block whose content made room for another's. */
export interface EvictedEvent {
  readonly type: 'evicted';
  readonly atMs: number;
  /** Since it was taken. */
  readonly lifetimeMs: number;
  /** Since its last prefix hit; since it was taken when there was none. */
  readonly idleMs: number;
  /** Between its last prefix hits, oldest first. */
  readonly reuseGapsMs: readonly number[];
}

/** Of one request, not of the engine as a whole. */
export type RequestEvent =
  | QueuedEvent
  | ScheduledEvent
  | PreemptedEvent
  | PrefilledEvent
  | TokensEvent
  | FinishedEvent;

export type EngineEvent = RequestEvent | StepEvent | EvictedEvent;
