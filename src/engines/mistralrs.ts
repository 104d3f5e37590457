import { mistralrsFamilies } from '../catalog/kind-mistralrs.ts';
import { pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

const own = (name: string): Source => ({ names: [`mistralrs_${name}`] });
const lazy = (name: string): Source => ({ ...own(name), lazy: true, optional: true });
const MIXED = 'mistral.rs counts prompt and generated tokens in one: mistralrs_tokens_processed_total.';
const SEQUENCES =
  'mistral.rs counts sequences in its prefix cache, not tokens: mistralrs_prefix_cache_hits_total.';

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': own('sequences_running'),
  'vllm:num_requests_waiting': own('sequences_waiting'),
  'vllm:kv_cache_usage_perc': { ratio: [own('kv_cache_blocks_used'), own('kv_cache_blocks_total')] },
  // Without the tokens of a block: no capacity in tokens.
  'vllm:cache_config_info': { info: { num_gpu_blocks: { ...own('kv_cache_blocks_total'), optional: true } } },
  'vllm:prompt_tokens_total': { missing: MIXED },
  'vllm:generation_tokens_total': { missing: MIXED },
  'vllm:prefix_cache_queries_total': { missing: SEQUENCES },
  'vllm:prefix_cache_hits_total': { missing: SEQUENCES },
  'vllm:request_success_total': {
    ...own('sequences_completed_total'),
    lazy: true,
    labels: {
      finished_reason: {
        from: 'reason',
        values: { stop: 'stop', length: 'length', error: 'error' },
        otherwise: 'other',
      },
    },
  },
  'vllm:num_preemptions_total': { ...own('paged_preemptions_total'), lazy: true },
  'vllm:spec_decode_num_drafts_total': lazy('speculative_drafts_total'),
  'vllm:spec_decode_num_draft_tokens_total': lazy('speculative_draft_tokens_proposed_total'),
  'vllm:spec_decode_num_accepted_tokens_total': lazy('speculative_draft_tokens_accepted_total'),
  'vllm:spec_decode_num_accepted_tokens_per_pos_total': lazy(
    'speculative_draft_tokens_accepted_per_pos_total',
  ),
  'vllm:time_to_first_token_seconds': lazy('time_to_first_token_seconds'),
  'vllm:inter_token_latency_seconds': lazy('inter_token_latency_seconds'),
  'vllm:e2e_request_latency_seconds': {
    names: ['http_request_duration_seconds'],
    where: { path: ['/v1/chat/completions', '/v1/completions'] },
    optional: true,
  },
  'vllm:request_queue_time_seconds': { missing: 'mistral.rs has no histogram of the wait.' },
  'vllm:engine_sleep_state': { missing: 'mistral.rs does not say on its page whether its model is loaded.' },
};

/** mistral.rs. Its first-token and gap histograms are of streamed answers only. */
export const mistralrs: EngineProfile = {
  kind: 'mistralrs',
  title: 'mistral.rs',
  verifiedAgainst: [{ version: '9e922623f', how: 'own page' }],
  defaultPort: 1234,
  metrics: openPage,
  health: { path: '/health', loadingIs503: true },
  version: undefined,
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings'],
  checksModel: false,
  rankLabel: undefined,
  modelLabels: [],
  progress: own('tokens_processed_total'),
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families,
  own: mistralrsFamilies,
  page: { version: '9e922623f', labelSets: { default: {} } },
  launch: [
    {
      flag: '(no --disable-metrics)',
      brings: 'metrics at /metrics; with it the path answers 503',
      needed: true,
      forPage: true,
    },
  ],
  doubts: ['Several models on one server cannot be told apart on its page.'],
  detect: (evidence) => pageMark(evidence, 'mistralrs_', "mistral.rs's"),
};
