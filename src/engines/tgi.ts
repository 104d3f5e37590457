import { tgiDurationBounds } from '../catalog/bounds.ts';
import { tgiFamilies } from '../catalog/kind-tgi.ts';
import type { Evidence, Mark } from './evidence.ts';
import { isRecord, jsonOf, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

/** A family of TGI's is on the page only after its first event. */
const lazy = (name: string): Source => ({ names: [name], lazy: true });
const timed = (name: string): Source => ({ ...lazy(name), bounds: tgiDurationBounds });
const PER_BATCH = 'TGI times whole batches (tgi_batch_inference_duration), not a request.';

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': lazy('tgi_batch_current_size'),
  'vllm:num_requests_waiting': lazy('tgi_queue_size'),
  'vllm:kv_cache_usage_perc': {
    ratio: [lazy('tgi_batch_current_max_tokens'), lazy('tgi_batch_max_total_tokens')],
  },
  'vllm:cache_config_info': { info: { kv_cache_size_tokens: lazy('tgi_batch_max_total_tokens') } },
  'vllm:prompt_tokens_total': { ...lazy('tgi_request_input_length'), part: 'sum' },
  'vllm:generation_tokens_total': { ...lazy('tgi_request_generated_tokens'), part: 'sum' },
  'vllm:request_success_total': { ...lazy('tgi_request_success'), without: ['finished_reason'] },
  'vllm:e2e_request_latency_seconds': timed('tgi_request_duration'),
  'vllm:request_queue_time_seconds': timed('tgi_request_queue_duration'),
  'vllm:request_inference_time_seconds': timed('tgi_request_inference_duration'),
  'vllm:request_time_per_output_token_seconds': timed('tgi_request_mean_time_per_token_duration'),
  'vllm:request_prompt_tokens': lazy('tgi_request_input_length'),
  'vllm:request_generation_tokens': lazy('tgi_request_generated_tokens'),
  'vllm:request_params_max_tokens': lazy('tgi_request_max_new_tokens'),
  'vllm:time_to_first_token_seconds': {
    missing:
      'TGI does not measure the first token; validation, queue and a prefill batch are only an estimate of it.',
  },
  'vllm:inter_token_latency_seconds': {
    missing: "TGI measures a request's mean time per token, not each gap.",
  },
  'vllm:request_prefill_time_seconds': { missing: PER_BATCH },
  'vllm:request_decode_time_seconds': { missing: PER_BATCH },
  'vllm:prompt_tokens_cached_total': { missing: 'TGI does not count tokens taken from its prefix cache.' },
  'vllm:prefix_cache_queries_total': { missing: 'TGI does not count look-ups in its prefix cache.' },
  'vllm:prefix_cache_hits_total': { missing: 'TGI does not count hits in its prefix cache.' },
  'vllm:num_preemptions_total': {
    missing: 'TGI admits a request only when its longest answer fits, and never preempts.',
  },
  'vllm:spec_decode_num_draft_tokens_total': { missing: 'TGI counts tokens skipped, not tokens drafted.' },
  'vllm:spec_decode_num_accepted_tokens_total': {
    missing:
      'TGI has a summary of the tokens a request skipped (tgi_request_skipped_tokens), which is not this count.',
  },
  'vllm:engine_sleep_state': { missing: 'TGI does not sleep.' },
};

/**
 * Hugging Face's text-generation-inference. No model label, no `_total`. Token counters are the sums of histograms,
 * so they move when a request finishes. Its KV figure is what running requests have reserved.
 */
export const tgi: EngineProfile = {
  kind: 'tgi',
  title: 'TGI',
  verifiedAgainst: [{ version: '3.3', how: 'own page' }],
  defaultPort: 3000,
  metrics: openPage,
  health: { path: '/health', loadingIs503: true },
  version: { path: '/info', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'tokenize'],
  checksModel: false,
  rankLabel: undefined,
  modelLabels: [],
  progress: undefined,
  kvUsageMeans: 'reservation',
  latencyHistograms: true,
  families,
  own: tgiFamilies,
  page: { version: '3.3', labelSets: { default: {} } },
  launch: [],
  doubts: ['A family is on its page only after its first event: a fresh server shows nearly nothing.'],
  confirmPath: '/info',
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  const info = jsonOf(evidence.confirmed);
  if (isRecord(info) && 'docker_label' in info && 'model_id' in info) {
    return { certainty: 'known', reason: '/info has docker_label and model_id' };
  }
  return pageMark(evidence, 'tgi_', "TGI's");
}
