import { kindFamiliesOf } from './kind-families.ts';

/** mistral.rs beyond vLLM's names. Its series name no model: several models of one server cannot be told apart. */
export const mistralrsFamilies = kindFamiliesOf('mistralrs_', [
  ['tokens_processed_total', 'counter', 'tokens', 'sum', 'Prompt and generated tokens together.'],
  ['sequences_capacity', 'gauge', 'requests', 'sum', 'Sequences it runs at once at most.'],
  ['kv_cache_blocks_total', 'gauge', 'blocks', 'sum', 'KV blocks in all.'],
  ['kv_cache_blocks_used', 'gauge', 'blocks', 'sum', 'KV blocks in use.'],
  [
    'prefix_cache_lookups_total',
    'counter',
    'requests',
    'sum',
    'Sequences looked up in the prefix cache; sequences, not tokens.',
  ],
  ['prefix_cache_hits_total', 'counter', 'requests', 'sum', 'Sequences that found a prefix.'],
  [
    'prefix_cache_evictions_total',
    'counter',
    'requests',
    'sum',
    'Prefixes thrown out of the cache.',
    { when: 'after its first event' },
  ],
]);
