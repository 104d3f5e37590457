import type { Readable } from 'node:stream';

export type RawHeaders = readonly (readonly [name: string, value: string])[];

export interface UpstreamRequest {
  /** Absolute. */
  readonly url: string;
  readonly method: string;
  /** Without host, framing and hop-by-hop headers: those are the connection's. */
  readonly headers: RawHeaders;
  readonly body: Uint8Array;
  /** Ends the request at once, before and after its head. */
  readonly signal: AbortSignal;
  /** On a connection that nobody used before. */
  readonly fresh: boolean;
}

export interface UpstreamAnswer {
  readonly status: number;
  /** As the engine sent them, in order. */
  readonly headers: RawHeaders;
  /** Emits an error when the engine breaks off. Destroying it ends the request. */
  readonly body: Readable;
}

/** How far a request had come when it failed; it decides what may be tried again. */
export type FailureStage =
  | 'nothing-sent'
  /** This process could open no connection: the engine has no part in it. */
  | 'own-limit'
  | 'reused-socket-closed'
  | 'died'
  /** It could not be put into HTTP: the engine has no part in it. */
  | 'bad-request';

/** No answer. `cause` says why. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly stage: FailureStage;

  constructor(stage: FailureStage, message: string, cause: unknown) {
    super(message, { cause });
    this.stage = stage;
  }
}

/** HTTP to engines: narrow, so that another client can take its place. */
export interface Upstream {
  /**
   * Resolves with the head of the answer.
   * @throws UpstreamFailure, or the signal's reason when it aborts
   */
  send(request: UpstreamRequest): Promise<UpstreamAnswer>;
  /** Whether anybody takes connections where the engine was. */
  listens(url: string): Promise<boolean>;
  /** Drops idle connections and cuts the others. */
  close(): Promise<void>;
}
