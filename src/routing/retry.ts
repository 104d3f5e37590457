import type { FaultCause } from '../fleet/lease.ts';

/** Codes of the error catalogue (serving/errors.ts) that end a request here; routing imports nothing of serving. */
export type FailureCode =
  | 'engine_unreachable'
  | 'engine_failed'
  | 'engine_auth'
  | 'gateway_exhausted'
  | 'client_left';

/** What one attempt came to, while no byte of an answer has gone to the client: a row of the table. */
export type Outcome =
  /** An answer fit for the client. */
  | { readonly kind: 'fine' }
  /** The engine says that the request is wrong. */
  | { readonly kind: 'client-error' }
  /** 429, 503, or an error event that means them: busy is not broken. */
  | { readonly kind: 'busy' }
  /** 500, 502, 504, or what means the same. */
  | { readonly kind: 'server-error' }
  /** It refuses the key that the gateway has for it, or wants one where there is none. */
  | { readonly kind: 'key-refused' }
  /** It does not know a model that it had listed. */
  | { readonly kind: 'model-gone' }
  /** Refused, not found, TLS: the request never left. */
  | { readonly kind: 'nothing-sent' }
  /** This process has no descriptor or port for another connection. */
  | { readonly kind: 'own-limit' }
  /** It would come back here: gateways are engines of one another. */
  | { readonly kind: 'loop' }
  /** A connection kept from before was closed, before any byte of an answer. */
  | { readonly kind: 'reused-socket-closed'; readonly sentForMs: number }
  /** The connection ended after the request was sent and before the answer's first event or byte. */
  | { readonly kind: 'died'; readonly sentForMs: number }
  /** Its health checks failed while the request waited, or nobody listens there any more. */
  | { readonly kind: 'declared-dead' }
  | { readonly kind: 'client-left' };

/** Attempts of this request before the one that is judged. */
export interface History {
  /** Reused connections that closed: most likely nobody had read the request. */
  readonly unreadDeaths: number;
  /** Engines that had the request and came to grief. */
  readonly griefs: number;
  readonly modelsGone: number;
}

export const noHistory: History = { unreadDeaths: 0, griefs: 0, modelsGone: 0 };

export type RetryCause =
  | 'unreachable'
  | 'reused_socket'
  | 'died'
  | 'declared_dead'
  | 'busy'
  | 'server_error'
  | 'engine_auth'
  | 'model_gone'
  | 'own_limit'
  | 'loop';

export interface Decision {
  /**
   * `answer`: the engine's answer goes to the client as it is. `fresh-connection`: once more and not on a kept one; to
   * an engine that was not tried and is ready now, else to the same.
   * `other-engine`: one that was not tried; without one, `otherwise` holds. `fail`: `otherwise` holds.
   */
  readonly then: 'answer' | 'fresh-connection' | 'other-engine' | 'fail' | 'stop';
  readonly otherwise: 'last-answer' | FailureCode;
  /** What it counts as against the engine; absent: it does not. */
  readonly fault: FaultCause | undefined;
  /** Of trying again. */
  readonly cause: RetryCause | undefined;
}

/** After this long the work done is worth more than the chance that it was the engine's last moment anyway. */
export const RESENT_WITHIN_MS = 5_000;
/** An idle connection that is closed says so within a round trip; later, somebody had read the request. */
const UNREAD_WITHIN_MS = 1_000;

/** The retry table of ARCHITECTURE.md, and the only place that knows it. */
export function afterAttempt(outcome: Outcome, history: History): Decision {
  switch (outcome.kind) {
    case 'fine':
    case 'client-error':
      return decision('answer', 'last-answer');
    case 'busy':
      return decision('other-engine', 'last-answer', { cause: 'busy' });
    case 'server-error':
      return history.griefs === 0
        ? decision('other-engine', 'last-answer', { fault: 'server_error', cause: 'server_error' })
        : decision('answer', 'last-answer', { fault: 'server_error' });
    case 'key-refused':
      return decision('other-engine', 'engine_auth', { fault: 'engine_auth', cause: 'engine_auth' });
    case 'model-gone':
      return history.modelsGone === 0
        ? decision('other-engine', 'last-answer', { cause: 'model_gone' })
        : decision('answer', 'last-answer');
    case 'nothing-sent':
      return decision('other-engine', 'engine_unreachable', { fault: 'unreachable', cause: 'unreachable' });
    case 'own-limit':
      // A connection to another may be open already, and ports are used up per address.
      return decision('other-engine', 'gateway_exhausted', { cause: 'own_limit' });
    case 'loop':
      return decision('other-engine', 'last-answer', { cause: 'loop' });
    case 'reused-socket-closed':
      // uvicorn closes idle connections after 5 s and may do so just as a request is on its way. Another engine is
      // better than the same: if this one died of the body after all, the next try is not lost on it.
      return deaths(history) === 0 && outcome.sentForMs <= UNREAD_WITHIN_MS
        ? decision('fresh-connection', 'engine_failed', { cause: 'reused_socket' })
        : afterDeath('died', outcome.sentForMs, history);
    case 'died':
      return afterDeath('died', outcome.sentForMs, history);
    case 'declared-dead':
      // Whatever it had done is lost with it, so how long it took is no reason against doing it elsewhere.
      return afterDeath('declared_dead', 0, history);
    case 'client-left':
      return decision('stop', 'client_left');
  }
}

/** @returns the history of the next attempt */
export function withAttempt(history: History, { kind }: Outcome): History {
  switch (kind) {
    case 'reused-socket-closed':
      return { ...history, unreadDeaths: history.unreadDeaths + 1 };
    case 'server-error':
    case 'died':
    case 'declared-dead':
      return { ...history, griefs: history.griefs + 1 };
    case 'model-gone':
      return { ...history, modelsGone: history.modelsGone + 1 };
    case 'fine':
    case 'client-error':
    case 'busy':
    case 'key-refused':
    case 'nothing-sent':
    case 'own-limit':
    case 'loop':
    case 'client-left':
      return history;
  }
}

/** The same body never a third time: it may be what kills them. */
function afterDeath(cause: 'died' | 'declared_dead', sentForMs: number, history: History): Decision {
  return deaths(history) === 0 && sentForMs <= RESENT_WITHIN_MS
    ? decision('other-engine', 'engine_failed', { fault: cause, cause })
    : decision('fail', 'engine_failed', { fault: cause });
}

function deaths({ unreadDeaths, griefs }: History): number {
  return unreadDeaths + griefs;
}

function decision(
  then: Decision['then'],
  otherwise: Decision['otherwise'],
  { fault, cause }: { readonly fault?: FaultCause; readonly cause?: RetryCause } = {},
): Decision {
  return { then, otherwise, fault, cause };
}
