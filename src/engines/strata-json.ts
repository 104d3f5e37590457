import type { JsonSample, OtherForm } from './profile.ts';

/** States of the JSON; a request is in the engine in the last two. */
const STATES = ['unloaded', 'idle', 'reading', 'generating'] as const;

const at = (name: string, path: string, more: Partial<JsonSample> = {}): JsonSample => ({
  name,
  at: path,
  ...more,
});

/**
 * Strata's JSON as the samples of its text. Histograms cannot be had from it, nor the share of the context. With
 * batch slots more than one request may run: the state says of one only.
 */
export const strataJson: Extract<OtherForm, { readonly json: unknown }>['json'] = {
  model: { at: 'engine.model', label: 'model_name' },
  samples: [
    at('vllm:num_requests_running', 'live.state', { oneOf: ['reading', 'generating'] }),
    at('vllm:num_requests_waiting', 'live.queued'),
    at('vllm:prompt_tokens_total', 'totals.prompt_tokens'),
    at('vllm:generation_tokens_total', 'totals.output_tokens'),
    at('vllm:request_success_total', 'totals.requests'),
    at('vllm:prefix_cache_queries_total', 'totals.prompt_tokens'),
    at('vllm:prefix_cache_hits_total', 'totals.reused'),
    at('vllm:spec_decode_num_draft_tokens_total', 'totals.drafts_offered'),
    at('vllm:spec_decode_num_accepted_tokens_total', 'totals.drafts_accepted'),
    ...STATES.map((state) => at('strata:live_state', 'live.state', { oneOf: [state], labels: { state } })),
    at('strata:live_tok_s', 'live.tok_s'),
    at('strata:live_prefill_tok_s_mean', 'live.prefill_tok_s_mean'),
    at('strata:live_prompt_read', 'live.prompt_read'),
    at('strata:engine_max_context', 'engine.max_context'),
    at('strata:totals_prompt_seconds_total', 'totals.prompt_ms', { over: 1000 }),
    at('strata:totals_decode_seconds_total', 'totals.decode_ms', { over: 1000 }),
    at('strata:totals_ended_inside_thinking_total', 'totals.ended_inside_thinking'),
    at('strata:gpu_util', 'hardware.gpu_util', { labels: { gpu: '0' } }),
    at('strata:gpu_mem_used_bytes', 'hardware.gpu_mem_used', { labels: { gpu: '0' } }),
    at('strata:gpu_mem_total_bytes', 'hardware.gpu_mem_total', { labels: { gpu: '0' } }),
    at('strata:gpu_temp_celsius', 'hardware.gpu_temp', { labels: { gpu: '0' } }),
    at('strata:gpu_power_watts', 'hardware.gpu_power', { labels: { gpu: '0' } }),
    at('strata:cpu', 'hardware.cpu'),
    at('strata:ram_used_bytes', 'hardware.ram_used'),
    at('strata:ram_total_bytes', 'hardware.ram_total'),
  ],
};
