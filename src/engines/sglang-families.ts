import {
  sglangFirstTokenBounds,
  sglangInterTokenBounds,
  sglangQueueBounds,
  sglangRequestBounds,
  sglangTokenBounds,
} from '../catalog/bounds.ts';
import type { Source, Supply } from './profile.ts';

/** Behind scrapers that escape names the colon is an underscore. */
const named = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => [`sglang:${name}`, `sglang_${name}`]);

/** With `--enable-metrics-for-all-schedulers` each of these reports the same facts once more. */
export const SCHEDULER_COPIES = ['tp_rank', 'pp_rank', 'moe_ep_rank', 'pid'] as const;

const scheduler = (...names: readonly string[]): Source => ({
  names: named(...names),
  pickOne: SCHEDULER_COPIES,
});

/** The breakdown by priority is in the same family as its total, which is `priority=""`. */
const counted = (...names: readonly string[]): Source => ({
  ...scheduler(...names),
  where: { priority: '' },
  labelSet: 'priority',
});

const tokenizer = (...names: readonly string[]): Source => ({
  names: named(...names),
  labelSet: 'tokenizer',
});

/** Newer tokenizer series are split by `is_streaming`: both together are the figure. */
const streamed = (...names: readonly string[]): Source => ({ names: named(...names), labelSet: 'streaming' });

const optional = (source: Source): Source => ({ ...source, optional: true });

/** `cache_source="total"` stands beside its parts; a version without the label has one series, one without a total only parts. */
const cachedTokens: Supply = {
  firstOf: [
    {
      ...tokenizer('cached_tokens_total'),
      where: { cache_source: ['total', ''] },
      copies: [{ cache_source: 'device' }],
    },
    optional(tokenizer('cached_tokens_total')),
  ],
};

export const sglangSupplies: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': counted('num_running_reqs'),
  'vllm:num_requests_waiting': {
    sum: [
      counted('num_queue_reqs'),
      scheduler('num_grammar_queue_reqs'),
      // Queues of prefill and decode roles.
      optional(scheduler('num_prefill_prealloc_queue_reqs')),
      optional(scheduler('num_prefill_bootstrap_queue_reqs')),
      optional(scheduler('num_prefill_inflight_queue_reqs')),
      optional(scheduler('num_decode_prealloc_queue_reqs')),
      optional(scheduler('num_decode_transfer_queue_reqs')),
    ],
  },
  'vllm:kv_cache_usage_perc': scheduler('token_usage'),
  'vllm:cache_config_info': {
    firstOf: [
      {
        info: {
          block_size: scheduler('page_size'),
          num_gpu_blocks: scheduler('num_pages'),
          kv_cache_size_tokens: scheduler('max_total_num_tokens'),
        },
      },
      {
        ...optional(tokenizer('cache_config_info')),
        labels: { block_size: { from: 'page_size' }, num_gpu_blocks: { from: 'num_pages' } },
      },
    ],
  },
  'vllm:prompt_tokens_total': streamed('prompt_tokens_total'),
  'vllm:prompt_tokens_cached_total': cachedTokens,
  'vllm:generation_tokens_total': streamed('generation_tokens_total'),
  'vllm:prefix_cache_queries_total': {
    sameAs: 'vllm:prompt_tokens_total',
    onlyWith: 'vllm:prompt_tokens_cached_total',
  },
  'vllm:prefix_cache_hits_total': { sameAs: 'vllm:prompt_tokens_cached_total' },
  'vllm:request_success_total': { ...streamed('num_requests_total'), without: ['finished_reason'] },
  'vllm:num_preemptions_total': optional(scheduler('num_retracted_requests_total')),
  'vllm:time_to_first_token_seconds': {
    ...streamed('time_to_first_token_seconds'),
    bounds: sglangFirstTokenBounds,
  },
  'vllm:inter_token_latency_seconds': {
    ...tokenizer('inter_token_latency_seconds', 'time_per_output_token_seconds'),
    bounds: sglangInterTokenBounds,
  },
  'vllm:e2e_request_latency_seconds': {
    ...streamed('e2e_request_latency_seconds'),
    bounds: sglangRequestBounds,
  },
  // Before: a gauge of the mean.
  'vllm:request_queue_time_seconds': {
    ...scheduler('queue_time_seconds'),
    bounds: sglangQueueBounds,
    since: 'after 0.4.4',
  },
  'vllm:request_prefill_time_seconds': {
    ...optional(scheduler('per_stage_req_latency_seconds')),
    where: { stage: 'prefill_forward' },
  },
  'vllm:request_prompt_tokens': {
    ...optional(tokenizer('prompt_tokens_histogram')),
    bounds: sglangTokenBounds,
  },
  'vllm:request_generation_tokens': {
    ...optional(tokenizer('generation_tokens_histogram')),
    bounds: sglangTokenBounds,
  },
  'vllm:spec_decode_num_drafts_total': optional(scheduler('spec_verify_calls_total')),
  'vllm:spec_decode_num_draft_tokens_total': {
    missing: 'SGLang counts no drafted tokens; it has the gauges spec_accept_length and spec_accept_rate.',
  },
  'vllm:spec_decode_num_accepted_tokens_total': {
    missing: 'SGLang counts no accepted tokens; it has the gauges spec_accept_length and spec_accept_rate.',
  },
  'vllm:request_time_per_output_token_seconds': {
    missing: "SGLang measures each gap between tokens, not a request's mean.",
  },
  'vllm:request_inference_time_seconds': { missing: 'SGLang does not measure the time a request ran.' },
  'vllm:request_decode_time_seconds': { missing: 'SGLang does not measure decode time per request.' },
  'vllm:iteration_tokens_total': { missing: 'SGLang has no histogram of the tokens of a step.' },
  'vllm:engine_sleep_state': { missing: 'SGLang does not say on its page whether memory is released.' },
};
