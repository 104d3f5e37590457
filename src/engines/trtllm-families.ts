import { trtllmPrefillBounds } from '../catalog/bounds.ts';
import type { Source, Supply } from './profile.ts';

/** Versions 1.0 to 1.2 had five families, without prefix. */
const since10 = (name: string): Source => ({ names: [`trtllm_${name}`, name], since: '1.0' });
const since13 = (name: string): Source => ({ names: [`trtllm_${name}`], since: '1.3' });

export const trtllmSupplies: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': since13('num_requests_running'),
  'vllm:num_requests_waiting': since13('num_requests_waiting'),
  'vllm:kv_cache_usage_perc': {
    firstOf: [
      since13('kv_cache_utilization'),
      { ratio: [since13('kv_cache_used_blocks'), since13('kv_cache_max_blocks')] },
    ],
  },
  'vllm:cache_config_info': {
    info: {
      block_size: since13('kv_cache_tokens_per_block'),
      num_gpu_blocks: since13('kv_cache_max_blocks'),
    },
  },
  'vllm:prompt_tokens_total': since13('prompt_tokens_total'),
  'vllm:prompt_tokens_cached_total': since13('prompt_cached_tokens_total'),
  'vllm:generation_tokens_total': since13('generation_tokens_total'),
  // Its reused and missed blocks come from iteration records, which undercount.
  'vllm:prefix_cache_queries_total': {
    sameAs: 'vllm:prompt_tokens_total',
    onlyWith: 'vllm:prompt_tokens_cached_total',
  },
  'vllm:prefix_cache_hits_total': { sameAs: 'vllm:prompt_tokens_cached_total' },
  'vllm:request_success_total': {
    each: [
      {
        ...since10('request_success_total'),
        labels: {
          finished_reason: {
            from: 'finished_reason',
            values: { stop: 'stop', length: 'length', timeout: 'abort', cancelled: 'abort' },
            otherwise: 'other',
          },
        },
      },
      { ...since13('request_error_total'), constant: { finished_reason: 'error' }, optional: true },
    ],
  },
  'vllm:num_preemptions_total': {
    missing: 'TensorRT-LLM starts a request only when its whole K/V fits, and counts no preemptions.',
  },
  'vllm:spec_decode_num_drafts_total': { missing: 'TensorRT-LLM counts drafted tokens, not drafts.' },
  'vllm:spec_decode_num_draft_tokens_total': since13('spec_decode_num_draft_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_total': since13('spec_decode_num_accepted_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_per_pos_total': {
    ...since13('spec_decode_accepted_tokens_total'),
    labels: { position: { from: 'token_position' } },
    optional: true,
  },
  'vllm:time_to_first_token_seconds': since10('time_to_first_token_seconds'),
  // A request's mean, not each gap: it is this family of vLLM's and not the one of gaps.
  'vllm:request_time_per_output_token_seconds': since10('time_per_output_token_seconds'),
  'vllm:inter_token_latency_seconds': {
    missing: "TensorRT-LLM measures a request's mean time per token, not each gap.",
  },
  'vllm:e2e_request_latency_seconds': since10('e2e_request_latency_seconds'),
  'vllm:request_queue_time_seconds': since10('request_queue_time_seconds'),
  'vllm:request_prefill_time_seconds': {
    ...since13('request_prefill_time_seconds'),
    bounds: trtllmPrefillBounds,
  },
  'vllm:request_decode_time_seconds': since13('request_decode_time_seconds'),
  'vllm:request_inference_time_seconds': since13('request_inference_time_seconds'),
  'vllm:engine_sleep_state': { missing: 'TensorRT-LLM does not say on its page whether memory is released.' },
};
