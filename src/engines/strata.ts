import { firstTokenBounds } from '../catalog/bounds.ts';
import { strataFamilies } from '../catalog/kind-strata.ts';
import type { Evidence, Mark } from './evidence.ts';
import { isRecord, jsonOf, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { strataJson } from './strata-json.ts';

/** In the form of `/metrics/prometheus` figures have llama.cpp's names, or Strata's own. */
const same = (name: string, ...others: readonly string[]): Source => ({ names: [name, ...others] });
/** All three of its histograms have the bounds of vLLM's first token. */
const timed = (name: string): Source => ({ names: [name], bounds: firstTokenBounds });

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': same('vllm:num_requests_running', 'llamacpp:requests_processing'),
  'vllm:num_requests_waiting': same('vllm:num_requests_waiting', 'llamacpp:requests_deferred'),
  'vllm:kv_cache_usage_perc': same('vllm:kv_cache_usage_perc'),
  'vllm:cache_config_info': { info: { kv_cache_size_tokens: same('strata:engine_max_context') } },
  'vllm:prompt_tokens_total': same('vllm:prompt_tokens_total', 'llamacpp:prompt_tokens_total'),
  'vllm:prompt_tokens_cached_total': { sameAs: 'vllm:prefix_cache_hits_total' },
  'vllm:generation_tokens_total': same('vllm:generation_tokens_total', 'llamacpp:tokens_predicted_total'),
  'vllm:request_success_total': {
    ...same('vllm:request_success_total', 'strata:requests_total'),
    without: ['finished_reason'],
  },
  'vllm:prefix_cache_queries_total': same('vllm:prefix_cache_queries_total'),
  'vllm:prefix_cache_hits_total': same('vllm:prefix_cache_hits_total'),
  'vllm:spec_decode_num_drafts_total': { missing: 'Strata counts drafted tokens, not drafts.' },
  'vllm:spec_decode_num_draft_tokens_total': same(
    'vllm:spec_decode_num_draft_tokens_total',
    'strata:drafts_offered_total',
  ),
  'vllm:spec_decode_num_accepted_tokens_total': same(
    'vllm:spec_decode_num_accepted_tokens_total',
    'strata:drafts_accepted_total',
  ),
  'vllm:num_preemptions_total': {
    missing: 'Strata shows 0 whatever happens: it is a placeholder and not a count.',
    shows: same('vllm:num_preemptions_total'),
  },
  'vllm:time_to_first_token_seconds': timed('vllm:time_to_first_token_seconds'),
  'vllm:inter_token_latency_seconds': timed('vllm:inter_token_latency_seconds'),
  'vllm:e2e_request_latency_seconds': timed('vllm:e2e_request_latency_seconds'),
  'vllm:request_queue_time_seconds': { missing: 'Strata does not measure the wait in its queue.' },
  'vllm:request_prefill_time_seconds': {
    missing: 'Strata has only the total: strata:totals_prompt_seconds_total.',
  },
  'vllm:request_decode_time_seconds': {
    missing: 'Strata has only the total: strata:totals_decode_seconds_total.',
  },
  'vllm:engine_sleep_state': {
    missing: 'Not under this name: strata:live_state and /health say whether the model is loaded.',
  },
};

/**
 * Strata. Without an Accept header that names text, or the query, its page is JSON; servers older than that know
 * nothing else, and their JSON is read. Its KV figure is the share of the running request's context, not of a pool;
 * its gap histogram holds each request's mean, weighted by tokens.
 */
export const strata: EngineProfile = {
  kind: 'strata',
  title: 'Strata',
  verifiedAgainst: [{ version: '0.1.30', how: 'own page' }],
  defaultPort: 8080,
  metrics: { ...openPage, query: 'format=prometheus', guarded: true, otherForm: { json: strataJson } },
  health: {
    path: '/health',
    loadingIs503: false,
    note: 'Its status is always "ok"; look at loaded for the model.',
  },
  version: { path: '/v1/status', field: 'engine' },
  modelsPath: '/v1/models',
  apis: ['chat', 'responses', 'messages'],
  checksModel: false,
  rankLabel: undefined,
  modelLabels: ['model_name'],
  progress: undefined,
  kvUsageMeans: 'request-context',
  latencyHistograms: true,
  families,
  own: strataFamilies,
  page: { version: '0.1.30', labelSets: { default: { model: 'model_name' } } },
  launch: [],
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  const health = jsonOf(evidence.health);
  if (isRecord(health) && health['service'] === 'strata') {
    return { certainty: 'known', reason: '/health says service "strata"' };
  }
  return pageMark(evidence, 'strata:', "Strata's");
}
