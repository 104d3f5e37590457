import type { SimKind } from '../sim-kinds.ts';
import type { SimSettings } from '../sim-settings.ts';

/** Families that the flags of `penstock sim` put on a page, by the contract's name. */
export const flagFamilies = {
  spec: [
    'vllm:spec_decode_num_drafts_total',
    'vllm:spec_decode_num_draft_tokens_total',
    'vllm:spec_decode_num_accepted_tokens_total',
    'vllm:spec_decode_num_accepted_tokens_per_pos_total',
  ],
  'kv-cache-metrics': [
    'vllm:kv_block_lifetime_seconds',
    'vllm:kv_block_idle_before_evict_seconds',
    'vllm:kv_block_reuse_gap_seconds',
  ],
  lora: ['vllm:lora_requests_info'],
  // Some kinds have a family of their own for what went wrong.
  'error-rate': ['vllm:request_success_total'],
} as const;

export function switchedOn(kind: SimKind, settings: SimSettings): ReadonlySet<string> {
  const { speculation, kvCacheMetrics, adapters = [], faults } = settings;
  const on = (condition: boolean, families: readonly string[]): readonly string[] =>
    condition ? families : [];
  return new Set([
    ...kind.shows,
    ...on(speculation !== undefined, flagFamilies.spec),
    ...on(kvCacheMetrics !== undefined, flagFamilies['kv-cache-metrics']),
    ...on(adapters.length > 0, flagFamilies.lora),
    ...on((faults?.error ?? 0) > 0, flagFamilies['error-rate']),
  ]);
}
