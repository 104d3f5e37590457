import type { OwnMaker, OwnSizes } from './own-maker.ts';

/** Its prefix cache counts sequences, its token counter prompts and answers together. */
export function mistralrsOwn({ kvTokens, blockTokens, maxSeqs }: OwnSizes): OwnMaker {
  return ({ figures, total }) => ({
    mistralrs_tokens_processed_total: total.promptTokens + total.outputTokens,
    mistralrs_sequences_capacity: maxSeqs,
    mistralrs_kv_cache_blocks_total: Math.floor(kvTokens / blockTokens),
    mistralrs_kv_cache_blocks_used: figures[0]?.kvBlocksUsed ?? 0,
    mistralrs_prefix_cache_lookups_total: total.lookups,
    mistralrs_prefix_cache_hits_total: total.hits,
  });
}
