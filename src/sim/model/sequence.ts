import { chainHash } from './chain-hash.ts';
import type { FinishReason } from './engine-event.ts';
import type { Block } from './free-queue.ts';

/** A request as the engine sees it: sizes, not text. */
export interface RequestSpec {
  /** Unique among the requests the engine still has. */
  readonly id: string;
  /** At least 1. */
  readonly promptTokens: number;
  /**
   * A number for the content of each full block of `blockTokens` tokens, a whole number below 2^53 (a hash of
   * its text will do); the engine chains them, so two requests share what their lists share from the start.
   * A list that goes on past the prompt describes the answer, so that a next turn finds it too.
   * Blocks without a number, or all when absent, are shared with nobody.
   */
  readonly promptBlocks?: readonly number[];
  /** How many tokens it generates before it stops; 0 for an embedding, which ends with its prefill. */
  readonly outputTokens: number;
  /** Why it ends after them: the model said so, the limit of the request was reached, or the engine gave it up. */
  readonly finishReason: FinishReason;
  /** The most it may generate, for an engine that reserves room for it; `outputTokens` when absent. */
  readonly maxTokens?: number;
}

/** A request inside the engine. Changed in place by the step. */
export interface Sequence {
  readonly spec: RequestSpec;
  /** The engine's own count of requests: makes unnumbered blocks unlike all others. */
  readonly serial: number;
  /** Chain hashes of its leading full blocks, made when first needed. */
  readonly hashes: number[];
  /** When it was queued, or preempted last. */
  waitingSinceMs: number;
  /** Its first scheduling; undefined before. */
  scheduledAtMs: number | undefined;
  /** Tokens whose K/V is in the cache. One less than all tokens while decoding: the newest is computed next. */
  computedTokens: number;
  generatedTokens: number;
  /** Prefix found in the cache when it was first scheduled. */
  cachedTokens: number;
  blocks: Block[];
  /** Leading blocks that can be found by others. */
  publishedBlocks: number;
}

export function createSequence(spec: RequestSpec, serial: number, nowMs: number): Sequence {
  return {
    spec,
    serial,
    hashes: [],
    waitingSinceMs: nowMs,
    scheduledAtMs: undefined,
    computedTokens: 0,
    generatedTokens: 0,
    cachedTokens: 0,
    blocks: [],
    publishedBlocks: 0,
  };
}

export function totalTokens(sequence: Sequence): number {
  return sequence.spec.promptTokens + sequence.generatedTokens;
}

/** Tokens it may come to at its limit. */
export function mostTokens({ spec: { promptTokens, outputTokens, maxTokens = 0 } }: Sequence): number {
  return promptTokens + Math.max(outputTokens, maxTokens);
}

/** Tokens still to compute before the next one can be generated. */
export function lackingTokens(sequence: Sequence): number {
  return totalTokens(sequence) - sequence.computedTokens;
}

/** True when its next step computes just the newest token; false during a prefill, also a repeated one. */
export function decodes(sequence: Sequence): boolean {
  return sequence.generatedTokens > 0 && lackingTokens(sequence) === 1;
}

/**
 * Tokens that may be drafted for its next step: never more than it could still give beside the one it gives anyway,
 * so that drafts never need room which the request itself would not.
 */
export function draftLimit(sequence: Sequence, wanted: number): number {
  if (!decodes(sequence)) return 0;
  return Math.max(0, Math.min(wanted, sequence.spec.outputTokens - sequence.generatedTokens - 1));
}

/** Marks a block that is shared with nobody: a seed that no caller can give, since theirs end at 2^53. */
const UNSHARED = 2 ** 60;

/** Chain hashes of at least the first `count` full blocks. */
export function blockHashes(sequence: Sequence, count: number): readonly number[] {
  const { hashes, spec, serial } = sequence;
  for (let at = hashes.length; at < count; at += 1) {
    const previous = hashes[at - 1] ?? 0;
    const seed = spec.promptBlocks?.[at];
    hashes.push(
      seed === undefined ? chainHash(chainHash(previous, UNSHARED), serial) : chainHash(previous, seed),
    );
  }
  return hashes;
}
