import { llamaCppFamilies } from '../catalog/kind-llama-cpp.ts';
import type { Evidence, Mark } from './evidence.ts';
import { ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

const NO_HISTOGRAMS = 'llama-server has no histograms; the gateway measures in its place.';
const processed = { names: ['llamacpp:prompt_tokens_total'] } as const;
const cached = { names: ['llamacpp:prompt_tokens_cached_total'], since: 'about b10000 (2026)' } as const;
/** Which build brought them is known only between b9014 and b10621. */
const drafted = (name: string): Source => ({ names: [`llamacpp:spec_decode_${name}`], since: '2026' });

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': { names: ['llamacpp:requests_processing'] },
  'vllm:num_requests_waiting': { names: ['llamacpp:requests_deferred'] },
  'vllm:kv_cache_usage_perc': {
    firstOf: [
      { names: ['llamacpp:kv_cache_usage_ratio'], optional: true, until: 'May 2025' },
      { missing: 'llama-server took its KV gauges away in May 2025; /slots shows each slot.' },
    ],
  },
  'vllm:cache_config_info': {
    missing: 'Not on the page: /props has the context of a slot and the number of slots.',
  },
  // Its own counter leaves cached tokens out, vLLM's counts them.
  'vllm:prompt_tokens_total': { sum: [processed, cached] },
  'vllm:prompt_tokens_cached_total': cached,
  'vllm:prompt_tokens_by_source_total': {
    each: [
      { ...processed, constant: { source: 'local_compute' } },
      { ...cached, constant: { source: 'local_cache_hit' } },
    ],
  },
  'vllm:prefix_cache_queries_total': {
    sameAs: 'vllm:prompt_tokens_total',
    onlyWith: 'vllm:prompt_tokens_cached_total',
  },
  'vllm:prefix_cache_hits_total': { sameAs: 'vllm:prompt_tokens_cached_total' },
  'vllm:generation_tokens_total': { names: ['llamacpp:tokens_predicted_total'] },
  'vllm:request_success_total': { missing: 'llama-server counts no requests; the gateway counts its own.' },
  'vllm:num_preemptions_total': {
    missing: 'llama-server never preempts: a request keeps its slot to the end.',
  },
  'vllm:spec_decode_num_drafts_total': drafted('num_drafts_total'),
  'vllm:spec_decode_num_draft_tokens_total': drafted('num_draft_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_total': drafted('num_accepted_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_per_pos_total': {
    ...drafted('num_accepted_tokens_per_pos_total'),
    optional: true,
  },
  'vllm:engine_sleep_state': { missing: 'Not on the page: /props says is_sleeping.' },
  'vllm:time_to_first_token_seconds': { missing: NO_HISTOGRAMS },
  'vllm:inter_token_latency_seconds': { missing: NO_HISTOGRAMS },
  'vllm:e2e_request_latency_seconds': { missing: NO_HISTOGRAMS },
  'vllm:request_queue_time_seconds': { missing: NO_HISTOGRAMS },
  'vllm:request_prefill_time_seconds': { missing: NO_HISTOGRAMS },
  'vllm:request_decode_time_seconds': { missing: NO_HISTOGRAMS },
};

/** llama.cpp's llama-server (ik_llama.cpp speaks the same names). No labels: nothing on the page names the model. */
export const llamaCpp: EngineProfile = {
  kind: 'llama-cpp',
  title: 'llama.cpp',
  verifiedAgainst: [
    { version: 'v0.4.0 (80fb11a)', how: 'capture' },
    { version: 'b9014', how: 'capture' },
    { version: 'mid 2025', how: 'capture' },
  ],
  defaultPort: 8080,
  metrics: { ...openPage, guarded: true, onByDefault: false },
  health: { path: '/health', loadingIs503: true, note: 'While it loads, every path answers 503.' },
  version: { path: '/props', field: 'build_info' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings', 'responses', 'messages', 'rerank', 'tokenize', 'audio'],
  checksModel: false,
  // Recorded: malformed JSON, a message without its role, an image without a projector, an embedding input too long.
  misleading: [
    {
      status: 500,
      says: /json\.exception\.parse_error|Failed to parse messages|input is not supported|is too large to process/,
      fault: 'client',
    },
  ],
  rankLabel: undefined,
  modelLabels: [],
  // Token counters move when a request ends; this one with each step.
  progress: { names: ['llamacpp:n_decode_total'] },
  kvUsageMeans: 'pool',
  latencyHistograms: false,
  families,
  own: llamaCppFamilies,
  page: {
    version: '0.4.0',
    labelSets: { default: {} },
    own: { 'llamacpp:n_tokens_max': { declared: 'counter' } },
  },
  launch: [
    {
      flag: '--metrics',
      brings: 'metrics at /metrics; without it the path answers 501',
      needed: true,
      forPage: true,
    },
    { flag: '--parallel N', brings: 'N requests at once; the context is shared among them', needed: false },
  ],
  detect,
};

/** The Server header is on every answer, also while it loads. */
function detect(evidence: Evidence): Mark | undefined {
  const answers = [evidence.health, evidence.models, evidence.version, evidence.root];
  if (answers.some((answer) => answer?.headers['server'] === 'llama.cpp')) {
    return { certainty: 'known', reason: 'its answers carry the header "Server: llama.cpp"' };
  }
  return ownerMark(evidence, 'llamacpp') ?? pageMark(evidence, 'llamacpp:', "llama.cpp's");
}
