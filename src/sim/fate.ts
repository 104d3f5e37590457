import type { Random } from '../kit/random.ts';
import type { Work } from './life.ts';

/** Shares of the requests, 0 to 1, that the engine does not bring to their end. */
export interface FaultRates {
  /** It fails on them. */
  readonly error: number;
  /** It gives them up. */
  readonly abort: number;
}

export const NO_FAULTS: FaultRates = { error: 0, abort: 0 };

/**
 * The work as it will really end. An engine fails before some token of the answer, also the first; it gives up an
 * answer that has begun.
 */
export function fated(work: Work, { error, abort }: FaultRates, random: Random): Work {
  if (error === 0 && abort === 0) return work;
  const lot = random();
  const where = random();
  if (lot >= error + abort) return work;
  if (lot < error)
    return { ...work, outputTokens: Math.floor(where * work.outputTokens), finishReason: 'error' };
  return { ...work, outputTokens: Math.ceil(where * work.outputTokens), finishReason: 'abort' };
}
