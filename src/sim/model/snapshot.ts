import type { EngineCounters, EngineState } from './engine.ts';
import { decodes, mostTokens, type Sequence } from './sequence.ts';

/** The engine's own numbers at one moment: what its metrics page is written from. A copy: later steps leave it alone. */
export interface EngineSnapshot {
  readonly running: number;
  /** Preempted ones included, as in vLLM. */
  readonly waiting: number;
  readonly maxSeqs: number;
  /** Share of the blocks some sequence holds, 0 to 1. Blocks kept only to be found again count as free, as in vLLM. */
  readonly kvUsage: number;
  /** Share of the cache that the running requests may come to hold, at most 1. */
  readonly kvReserved: number;
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
    kvReserved: Math.min(1, reservedBlocks(state) / cache.totalBlocks),
    kvBlocksUsed: cache.usedBlocks,
    kvBlocksTotal: cache.totalBlocks,
    blockTokens,
    kvTokensUsed: cache.usedBlocks * blockTokens,
    kvTokensCapacity: cache.totalBlocks * blockTokens,
    counters: { ...state.counters },
  };
}

function reservedBlocks({ running, blockTokens }: EngineState): number {
  return running.reduce((sum, sequence) => sum + Math.ceil(mostTokens(sequence) / blockTokens), 0);
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
