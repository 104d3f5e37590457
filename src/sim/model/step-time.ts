import type { ModelProfile } from './model-profile.ts';

/** What one forward pass computes, as far as its duration depends on it. */
export interface StepBatch {
  readonly sequences: number;
  /** Prefill chunk tokens, one per decoding sequence, and drafts. */
  readonly tokens: number;
  /** Sum of the context lengths of the decoding sequences. */
  readonly decodeContextTokens: number;
  /** Sum over prefill chunks of n * (s + n / 2): n new tokens after s that are in the cache. */
  readonly prefillPairs: number;
}

/**
 * Duration of one step.
 *
 * Reading weights and computing overlap, so the longer of the two decides. The root of squares
 * stands for that maximum: it also fits the knee at 128 to 512 tokens, where mixed batches live
 * and a plain maximum is far too fast.
 */
export function stepTimeMs(profile: ModelProfile, batch: StepBatch): number {
  const hostMs = profile.hostMs + (profile.hostUsPerSequence * batch.sequences) / 1e3;
  const linearMs = Math.hypot(profile.weightMs, (profile.computeUsPerToken * batch.tokens) / 1e3);
  const kvReadMs = (profile.kvReadNsPerToken * batch.decodeContextTokens) / 1e6;
  return hostMs + linearMs + kvReadMs + profile.prefillPairMs * batch.prefillPairs;
}

/** A draft head reads about so much of what the model reads: ours, not measured. */
const DRAFT_SHARE = 0.05;

/** Drafts are made one after the other, for all sequences at once. */
export function draftTimeMs(
  { weightMs }: ModelProfile,
  batch: readonly { readonly draftTokens: number }[],
): number {
  const longest = batch.reduce((most, { draftTokens }) => Math.max(most, draftTokens), 0);
  return longest * weightMs * DRAFT_SHARE;
}

/** What a request costs before it reaches the engine's queue; the server waits it, the step does not contain it. */
export function requestOverheadMs(profile: ModelProfile, promptTokens: number): number {
  return profile.requestMs + (profile.requestUsPerPromptToken * promptTokens) / 1e3;
}
