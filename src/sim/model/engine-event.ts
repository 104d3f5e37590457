/** What every event of one request carries. */
interface RequestEvent {
  /** When it takes effect, on the caller's clock: the step's start or its end. */
  readonly atMs: number;
  readonly id: string;
}

/** At the step's start. */
export interface QueuedEvent extends RequestEvent {
  readonly type: 'queued';
}

/** At the step's start: it left the queue and is in this step's batch. */
export interface ScheduledEvent extends RequestEvent {
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
export interface PreemptedEvent extends RequestEvent {
  readonly type: 'preempted';
}

/** At the end of the step that completed the prompt; once per request, just before its first token. */
export interface PrefilledEvent extends RequestEvent {
  readonly type: 'prefilled';
  readonly promptTokens: number;
  readonly cachedTokens: number;
  /** Since its first scheduling. */
  readonly prefillMs: number;
}

/** At the step's end. */
export interface TokensEvent extends RequestEvent {
  readonly type: 'tokens';
  readonly count: number;
  readonly firstToken: boolean;
}

/** At the step's end; an abort at its start. */
export interface FinishedEvent extends RequestEvent {
  readonly type: 'finished';
  readonly reason: 'stop' | 'length' | 'abort';
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
  /** All tokens of the batch: prefill chunks and one per decoding sequence. */
  readonly batchTokens: number;
}

export type EngineEvent =
  | QueuedEvent
  | ScheduledEvent
  | PreemptedEvent
  | PrefilledEvent
  | TokensEvent
  | FinishedEvent
  | StepEvent;
