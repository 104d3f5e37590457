import type { EngineCounters, EngineState } from './engine.ts';
import { decodes, type Sequence } from './sequence.ts';

/** The engine's own numbers at one moment: what its metrics page is written from. A copy: later steps leave it alone. */
export interface EngineSnapshot {
  readonly running: number;
  /** Preempted ones included, as in vLLM. */
  readonly waiting: number;
  readonly maxSeqs: number;
  /** Share of the blocks some sequence holds, 0 to 1. Blocks kept only to be found again count as free, as in vLLM. */
  readonly kvUsage: number;
  readonly kvBlocksUsed: number;
  readonly kvBlocksTotal: number;
  readonly blockTokens: number;
  /** Whole blocks, a shared one counted once. */
  readonly kvTokensUsed: number;
  readonly kvTokensCapacity: number;
  readonly counters: Readonly<EngineCounters>;
}

export function snapshotOf(state: EngineState): EngineSnapshot {
  const { cache, blockTokens } = state;
  return {
    running: state.running.length,
    waiting: state.waiting.length,
    maxSeqs: state.maxSeqs,
    kvUsage: cache.usedBlocks / cache.totalBlocks,
    kvBlocksUsed: cache.usedBlocks,
    kvBlocksTotal: cache.totalBlocks,
    blockTokens,
    kvTokensUsed: cache.usedBlocks * blockTokens,
    kvTokensCapacity: cache.totalBlocks * blockTokens,
    counters: { ...state.counters },
  };
}

/** One request as an engine's list of slots or requests shows it. */
export interface SequenceView {
  readonly id: string;
  readonly phase: 'waiting' | 'prefilling' | 'decoding';
  readonly promptTokens: number;
  /** Tokens whose K/V is in the cache. */
  readonly computedTokens: number;
  readonly generatedTokens: number;
}

/** Every request the engine has: the running ones in their order, then the queue. */
export function sequencesOf(state: EngineState): readonly SequenceView[] {
  const view = (sequence: Sequence, phase: SequenceView['phase']): SequenceView => ({
    id: sequence.spec.id,
    phase,
    promptTokens: sequence.spec.promptTokens,
    computedTokens: sequence.computedTokens,
    generatedTokens: sequence.generatedTokens,
  });
  return [
    ...state.running.map((sequence) => view(sequence, decodes(sequence) ? 'decoding' : 'prefilling')),
    ...state.waiting.map((sequence) => view(sequence, 'waiting')),
  ];
}
