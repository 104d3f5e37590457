import type { EngineSnapshot } from '../model/snapshot.ts';
import type { Ledger } from './ledger.ts';
import type { StepFigures } from './rank-gauges.ts';

/** One iteration as TensorRT-LLM's JSON `/metrics` tells it. Milliseconds. */
export type IterationRecord = Readonly<Record<string, unknown>>;

export function iterationRecord(
  snapshot: EngineSnapshot,
  { computedTokens, generatedTokens, outputs, finished }: StepFigures,
  ledger: Ledger,
): IterationRecord {
  const { running, waiting, maxSeqs, kvBlocksTotal, kvBlocksUsed, blockTokens, counters } = snapshot;
  return {
    iter: ledger.steps,
    iterLatencyMS: ledger.lastStepSeconds * 1000,
    gpuMemUsage: 0,
    cpuMemUsage: 0,
    pinnedMemUsage: 0,
    numActiveRequests: running,
    numQueuedRequests: waiting,
    numCompletedRequests: finished,
    maxNumActiveRequests: maxSeqs,
    kvCacheStats: {
      maxNumBlocks: kvBlocksTotal,
      freeNumBlocks: kvBlocksTotal - kvBlocksUsed,
      usedNumBlocks: kvBlocksUsed,
      tokensPerBlock: blockTokens,
      reusedBlocks: Math.floor(counters.cachedTokens / blockTokens),
      missedBlocks: Math.floor((counters.queriedTokens - counters.cachedTokens) / blockTokens),
      cacheHitRate: counters.queriedTokens > 0 ? counters.cachedTokens / counters.queriedTokens : 0,
    },
    inflightBatchingStats: {
      numScheduledRequests: running,
      numContextRequests: computedTokens > 0 ? 1 : 0,
      numGenRequests: outputs,
      numPausedRequests: 0,
      numCtxTokens: computedTokens,
      microBatchId: 0,
      avgNumDecodedTokensPerIter: outputs === 0 ? 1 : generatedTokens / outputs,
    },
  };
}
