import { kindFamiliesOf } from './kind-families.ts';

/** TensorRT-LLM beyond vLLM's names. Gauges come from the newest iteration record at the last completion. */
export const trtllmFamilies = kindFamiliesOf('trtllm_', [
  ['kv_cache_hit_rate', 'gauge', 'ratio', 'mean', 'Share of KV blocks reused since the start.'],
  [
    'num_requests_completed_total',
    'counter',
    'requests',
    'sum',
    'Requests completed as seen in iteration records; it undercounts, use the finished requests.',
  ],
  ['max_num_active_requests', 'gauge', 'requests', 'sum', 'Requests the engine runs at once at most.'],
  ['kv_cache_max_blocks', 'gauge', 'blocks', 'sum', 'KV blocks in all, fixed at start.'],
  [
    'kv_cache_free_blocks',
    'gauge',
    'blocks',
    'sum',
    'KV blocks free at the last completion; near 0 new requests wait.',
  ],
  ['kv_cache_used_blocks', 'gauge', 'blocks', 'sum', 'KV blocks in use at the last completion.'],
  ['kv_cache_tokens_per_block', 'gauge', 'tokens', 'max', 'Tokens of one KV block, fixed at start.'],
  [
    'spec_decode_num_draft_tokens_total',
    'counter',
    'tokens',
    'sum',
    'Tokens drafted; 0 without speculation.',
  ],
  [
    'spec_decode_num_accepted_tokens_total',
    'counter',
    'tokens',
    'sum',
    'Drafted tokens accepted; 0 without speculation.',
  ],
  [
    'iteration_latency_seconds',
    'gauge',
    'seconds',
    'max',
    'Time of the newest iteration; it grows with the batch.',
  ],
]);
