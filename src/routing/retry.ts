/** Codes of the error catalogue (serving/errors.ts) that end a request here; routing imports nothing of serving. */
export type FailureCode = 'engine_unreachable' | 'engine_failed' | 'engine_auth' | 'client_left';

/** What one attempt came to, while no byte of an answer has gone to the client. */
export type Outcome =
  /** The engine answered; its head is there, its body is not read. */
  | { readonly kind: 'answered'; readonly status: number; readonly ownKey: boolean }
  /** Refused, not found, TLS: the request never left. */
  | { readonly kind: 'nothing-sent' }
  /** A connection kept from before was closed by the engine: it never read the request. */
  | { readonly kind: 'reused-socket-closed' }
  | { readonly kind: 'died-after-sending' }
  | { readonly kind: 'client-left' };

/** Attempts of this request before the one that is judged. */
export interface History {
  /** Reused sockets that died: by the second it is no coincidence. */
  readonly reusedSocketDeaths: number;
}

export const noHistory: History = { reusedSocketDeaths: 0 };

export type RetryCause = 'unreachable' | 'reused_socket' | 'busy' | 'engine_auth';

export interface Decision {
  /**
   * `answer`: the engine's answer goes to the client as it is. `retry-same`: the same engine on a fresh connection.
   * `retry-elsewhere`: an engine that was not tried; without one, `otherwise` holds. `fail`: `otherwise` holds.
   */
  readonly action: 'answer' | 'retry-same' | 'retry-elsewhere' | 'fail' | 'stop';
  readonly otherwise: 'last-answer' | FailureCode;
  /** Whether the engine is at fault. */
  readonly countsAgainstEngine: boolean;
  readonly delayMs: number;
  readonly cause: RetryCause | undefined;
}

/** The retry table of ARCHITECTURE.md, and the only place that knows it. */
export function afterAttempt(outcome: Outcome, history: History): Decision {
  switch (outcome.kind) {
    case 'nothing-sent':
      return decision('retry-elsewhere', 'engine_unreachable', true, 'unreachable');
    case 'reused-socket-closed':
      // uvicorn closes idle connections after 5 s and may do so just as a request is on its way.
      return history.reusedSocketDeaths === 0
        ? decision('retry-same', 'engine_failed', false, 'reused_socket')
        : decision('fail', 'engine_failed', true);
    case 'died-after-sending':
      return decision('fail', 'engine_failed', true);
    case 'client-left':
      return decision('stop', 'client_left', false);
    case 'answered':
      return afterAnswer(outcome.status, outcome.ownKey);
  }
}

function afterAnswer(status: number, ownKey: boolean): Decision {
  // Busy is not broken.
  if (status === 429 || status === 503) return decision('retry-elsewhere', 'last-answer', false, 'busy');
  // The client's key never goes to an engine, so the refusal is of ours or of its absence. A 403 without a key is
  // about something else: llama.cpp answers so when a feature is off.
  if (status === 401 || (status === 403 && ownKey)) {
    return decision('retry-elsewhere', 'engine_auth', true, 'engine_auth');
  }
  return decision('answer', 'last-answer', false);
}

function decision(
  action: Decision['action'],
  otherwise: Decision['otherwise'],
  countsAgainstEngine: boolean,
  cause?: RetryCause,
): Decision {
  return { action, otherwise, countsAgainstEngine, delayMs: 0, cause };
}
