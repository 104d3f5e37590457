import { namesUnknownModel } from '../openai/unknown-model.ts';
import type { Outcome } from './retry.ts';

/** An engine's answer as it is judged, its body unread but for the beginning. */
export interface JudgedAnswer {
  /** Of an error that comes as the first event of a stream: the status which that carries. */
  readonly status: number;
  /** The beginning of an error's body; '' where it was not read. */
  readonly says: string;
  /** Whether the gateway sent a key of its own. */
  readonly ownKey: boolean;
  /** As the engine was asked for it. */
  readonly model: string;
  /** Answers of this kind of engine whose status blames the wrong side. */
  readonly misleading: readonly {
    readonly status: number;
    readonly says: RegExp;
    readonly fault: 'client' | 'engine';
  }[];
}

/** Which row of the retry table an answer is. */
export function outcomeOf({ status, says, ownKey, model, misleading }: JudgedAnswer): Outcome {
  const hint = misleading.find((one) => one.status === status && one.says.test(says));
  if (hint !== undefined) return { kind: hint.fault === 'client' ? 'client-error' : 'server-error' };
  switch (status) {
    case 429:
    case 503:
      return { kind: 'busy' };
    // What a gateway behind this one says of a request that has been there.
    case 508:
      return { kind: 'loop' };
    case 500:
    case 502:
    case 504:
      return { kind: 'server-error' };
    // The client's key never goes to an engine, so the refusal is of ours or of its absence. A 403 without a key is
    // about something else: llama.cpp answers so when a feature is off.
    case 401:
      return { kind: 'key-refused' };
    case 403:
      return { kind: ownKey ? 'key-refused' : 'client-error' };
    case 404:
      return { kind: namesUnknownModel(says, model) ? 'model-gone' : 'client-error' };
    default:
      return { kind: status >= 400 ? 'client-error' : 'fine' };
  }
}
