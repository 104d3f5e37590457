/** Why an engine was at fault: a closed list, since it becomes a label. */
export type FaultCause =
  /** Nothing could be sent: connection refused, name not found, TLS. */
  | 'unreachable'
  /** The connection ended after the request was sent and before its answer began. */
  | 'died'
  /** Its health checks failed while a request waited for its answer. */
  | 'declared_dead'
  /** 500, 502, 504, or what means the same. */
  | 'server_error'
  /** It refuses the key that the gateway has for it. */
  | 'engine_auth'
  /** It broke off after the answer had begun. */
  | 'broke_off'
  /** It said in its stream that it failed. */
  | 'error_event'
  /** Its stream ended without an end. */
  | 'unfinished';

/** One request of ours on an engine, from the moment it is chosen until it is over. */
export interface Lease {
  /** A sign of life: bytes of the answer. */
  heard(): void;
  /** It begins to answer well. */
  answered(): void;
  /** The answer came through whole. */
  succeeded(): void;
  faulted(cause: FaultCause): void;
  /** It is over, whatever came of it: the engine is rid of it. Once; calling it again is harmless. */
  end(): void;
}
