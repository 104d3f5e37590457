import { paramsNBounds, requestBounds } from './bounds.ts';
import type { CatalogFamily } from './family.ts';
import { kindFamiliesOf } from './kind-families.ts';

/** Deprecated in 0.8, hidden in 0.9, taken away in 0.10; nothing took their place. */
const UNTIL_0_9 = { until: '0.9' };
/** They went with the V0 engine in 0.11. */
const V0_ONLY = { until: '0.10' };
const SPECULATIVE = { ...V0_ONLY, flag: '--speculative-config' };

/**
 * What only old versions of vLLM serve and nothing took the place of. Throughputs and hit rates are rates of counters
 * now: a board divides.
 */
export const vllmV0: readonly CatalogFamily[] = kindFamiliesOf('vllm:', [
  [
    'num_requests_swapped',
    'gauge',
    'requests',
    'sum',
    'Requests swapped to host memory; above 0 the KV cache is too small for the load.',
    UNTIL_0_9,
  ],
  [
    'cpu_cache_usage_perc',
    'gauge',
    'ratio',
    'max',
    'Used share of the swap space in host memory.',
    UNTIL_0_9,
  ],
  [
    'gpu_prefix_cache_hit_rate',
    'gauge',
    'ratio',
    'mean',
    'Hit rate of the prefix cache on the GPU since the start; later versions count queries and hits.',
    UNTIL_0_9,
  ],
  [
    'cpu_prefix_cache_hit_rate',
    'gauge',
    'ratio',
    'mean',
    'Hit rate of the prefix cache in host memory since the start.',
    UNTIL_0_9,
  ],
  [
    'time_in_queue_requests',
    'histogram',
    'seconds',
    'sum',
    'Time a request waited before it ran, as measured before request_queue_time_seconds.',
    { ...UNTIL_0_9, bounds: requestBounds },
  ],
  [
    'model_forward_time_milliseconds',
    'histogram',
    'milliseconds',
    'sum',
    'Time of the forward passes of a request.',
    UNTIL_0_9,
  ],
  [
    'model_execute_time_milliseconds',
    'histogram',
    'milliseconds',
    'sum',
    'Time a request spent in the model, forward passes and what surrounds them.',
    UNTIL_0_9,
  ],
  [
    'avg_prompt_throughput_toks_per_s',
    'gauge',
    'tokens per second',
    'sum',
    'Prompt speed at the last log interval.',
    V0_ONLY,
  ],
  [
    'avg_generation_throughput_toks_per_s',
    'gauge',
    'tokens per second',
    'sum',
    'Generation speed at the last log interval.',
    V0_ONLY,
  ],
  [
    'request_params_best_of',
    'histogram',
    'items',
    'sum',
    'Answers of which requests asked for the best.',
    { ...V0_ONLY, bounds: paramsNBounds },
  ],
  ['tokens_total', 'counter', 'tokens', 'sum', 'Prompt and generated tokens together.', V0_ONLY],
  [
    'spec_decode_draft_acceptance_rate',
    'gauge',
    'ratio',
    'mean',
    'Share of drafted tokens accepted.',
    SPECULATIVE,
  ],
  [
    'spec_decode_efficiency',
    'gauge',
    'ratio',
    'mean',
    'Tokens emitted over the most that speculation could have emitted.',
    SPECULATIVE,
  ],
  [
    'spec_decode_num_emitted_tokens_total',
    'counter',
    'tokens',
    'sum',
    'Tokens that speculative steps emitted.',
    SPECULATIVE,
  ],
]);
