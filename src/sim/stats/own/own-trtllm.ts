import { ratio } from '../ledger.ts';
import type { OwnMaker, OwnSizes } from './own-maker.ts';

export function trtllmOwn({ kvTokens, blockTokens, maxSeqs }: OwnSizes): OwnMaker {
  const blocks = Math.floor(kvTokens / blockTokens);
  return ({ figures, total }) => {
    const used = figures[0]?.kvBlocksUsed ?? 0;
    return {
      trtllm_kv_cache_hit_rate: ratio(total.cachedTokens, total.promptTokens),
      trtllm_num_requests_completed_total: total.finished,
      trtllm_max_num_active_requests: maxSeqs,
      trtllm_kv_cache_max_blocks: blocks,
      trtllm_kv_cache_free_blocks: blocks - used,
      trtllm_kv_cache_used_blocks: used,
      trtllm_kv_cache_tokens_per_block: blockTokens,
      trtllm_iteration_latency_seconds: total.lastStepSeconds,
    };
  };
}
