import { lmdeployTokenBounds } from '../catalog/bounds.ts';
import { lmdeployFamilies } from '../catalog/kind-lmdeploy.ts';
import { ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

const own = (name: string): Source => ({ names: [`lmdeploy:${name}`] });
const optional = (name: string): Source => ({ ...own(name), optional: true });

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': own('num_requests_running'),
  // The API server has a queue of its own in front of the engine's.
  'vllm:num_requests_waiting': { sum: [own('num_requests_waiting'), own('num_api_requests_waiting')] },
  'vllm:kv_cache_usage_perc': own('gpu_cache_usage_perc'),
  'vllm:cache_config_info': {
    missing:
      'The labels of backend_config_info are not established: nothing says how many tokens the cache holds.',
  },
  'vllm:prompt_tokens_total': own('prompt_tokens_total'),
  'vllm:prompt_tokens_cached_total': own('cached_tokens_total'),
  'vllm:generation_tokens_total': own('generation_tokens_total'),
  'vllm:prefix_cache_queries_total': {
    sameAs: 'vllm:prompt_tokens_total',
    onlyWith: 'vllm:prompt_tokens_cached_total',
  },
  'vllm:prefix_cache_hits_total': { sameAs: 'vllm:prompt_tokens_cached_total' },
  // Values are Python enums as they print.
  'vllm:request_success_total': {
    ...own('request_success_total'),
    labels: {
      finished_reason: {
        from: 'finished_reason',
        values: { 'ResponseType.FINISH': 'stop', 'ResponseType.LENGTH': 'length' },
        otherwise: 'other',
      },
    },
  },
  'vllm:num_preemptions_total': { missing: 'LMDeploy counts no preemptions.' },
  'vllm:spec_decode_num_drafts_total': optional('spec_decode_num_drafts_total'),
  'vllm:spec_decode_num_draft_tokens_total': optional('spec_decode_num_draft_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_total': optional('spec_decode_num_accepted_tokens_total'),
  'vllm:spec_decode_num_accepted_tokens_per_pos_total': optional(
    'spec_decode_num_accepted_tokens_per_pos_total',
  ),
  'vllm:time_to_first_token_seconds': own('time_to_first_token_seconds'),
  // Seconds, in spite of its name.
  'vllm:inter_token_latency_seconds': { ...own('iter_token_latency'), bounds: lmdeployTokenBounds },
  'vllm:request_time_per_output_token_seconds': {
    ...optional('time_per_output_token_seconds'),
    bounds: lmdeployTokenBounds,
  },
  'vllm:e2e_request_latency_seconds': own('e2e_request_latency_seconds'),
  'vllm:request_queue_time_seconds': own('request_queue_time_seconds'),
  'vllm:request_inference_time_seconds': optional('request_inference_time_seconds'),
  'vllm:request_prefill_time_seconds': optional('request_prefill_time_seconds'),
  'vllm:request_decode_time_seconds': optional('request_decode_time_seconds'),
  'vllm:request_prompt_tokens': optional('request_prompt_tokens'),
  'vllm:request_generation_tokens': optional('request_generation_tokens'),
  'vllm:iteration_tokens_total': optional('iteration_tokens_total'),
  'vllm:engine_sleep_state': { missing: 'LMDeploy does not say on its page whether it sleeps.' },
};

/** LMDeploy. Each data-parallel rank has an API server, and so a page, of its own. */
export const lmdeploy: EngineProfile = {
  kind: 'lmdeploy',
  title: 'LMDeploy',
  verifiedAgainst: [{ version: '0.16', how: 'own page' }],
  defaultPort: 23333,
  metrics: { ...openPage, guarded: true },
  health: { path: '/health', loadingIs503: true },
  version: undefined,
  modelsPath: '/v1/models',
  apis: ['chat', 'completions'],
  checksModel: false,
  rankLabel: 'engine',
  modelLabels: ['model_name'],
  progress: { names: ['lmdeploy:generation_tokens_total'] },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families,
  own: lmdeployFamilies,
  page: {
    version: '0.16',
    labelSets: { default: { model: 'model_name', rank: 'engine', rankOfOne: true } },
  },
  launch: [
    {
      flag: '(no --disable-metrics)',
      brings: 'metrics at /metrics; older versions have them only with --enable-metrics',
      needed: true,
    },
  ],
  detect: (evidence) => ownerMark(evidence, 'lmdeploy') ?? pageMark(evidence, 'lmdeploy:', "LMDeploy's"),
};
