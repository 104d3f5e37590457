import { dynamoFrontendFamilies } from '../catalog/kind-dynamo.ts';
import type { Evidence, Mark } from './evidence.ts';
import { familyNamed, ownedBy, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

const front = (...names: readonly string[]): Source => ({
  names: names.map((name) => `dynamo_frontend_${name}`),
});
const queued: Source = { ...front('queued_requests'), lazy: true };
const AT_WORKERS = 'Only the workers know: their own pages have it.';

const families: Readonly<Record<string, Supply>> = {
  // In flight is the whole life of a request, its wait for the first token included.
  'vllm:num_requests_running': {
    sum: [front('active_requests', 'inflight_requests'), { ...queued, scale: -1 }],
  },
  'vllm:num_requests_waiting': queued,
  'vllm:kv_cache_usage_perc': { missing: AT_WORKERS },
  'vllm:cache_config_info': {
    info: {
      block_size: { ...front('model_kv_cache_block_size'), optional: true },
      num_gpu_blocks: { ...front('model_total_kv_blocks'), optional: true },
    },
  },
  'vllm:prompt_tokens_total': { ...front('input_sequence_tokens'), part: 'sum', lazy: true },
  'vllm:prompt_tokens_cached_total': { ...front('cached_tokens'), part: 'sum', optional: true },
  'vllm:generation_tokens_total': {
    firstOf: [
      { ...front('output_tokens_total'), lazy: true },
      { ...front('output_sequence_tokens'), part: 'sum', lazy: true, optional: true },
    ],
  },
  'vllm:prefix_cache_queries_total': {
    sameAs: 'vllm:prompt_tokens_total',
    onlyWith: 'vllm:prompt_tokens_cached_total',
  },
  'vllm:prefix_cache_hits_total': { sameAs: 'vllm:prompt_tokens_cached_total' },
  'vllm:request_success_total': {
    ...front('requests_total'),
    where: { status: 'success' },
    without: ['finished_reason'],
    lazy: true,
    labelSet: 'request',
  },
  'vllm:request_prompt_tokens': { ...front('input_sequence_tokens'), lazy: true },
  'vllm:request_generation_tokens': { ...front('output_sequence_tokens'), lazy: true },
  'vllm:time_to_first_token_seconds': { ...front('time_to_first_token_seconds'), lazy: true },
  'vllm:inter_token_latency_seconds': { ...front('inter_token_latency_seconds'), lazy: true },
  'vllm:e2e_request_latency_seconds': { ...front('request_duration_seconds'), lazy: true },
  'vllm:request_queue_time_seconds': { missing: 'The frontend has no histogram of the wait.' },
  'vllm:num_preemptions_total': { missing: AT_WORKERS },
  'vllm:engine_sleep_state': { missing: AT_WORKERS },
};

/** Dynamo's frontend: one address in front of workers, which have pages of their own. Model names are lower-cased. */
export const dynamoFrontend: EngineProfile = {
  kind: 'dynamo-frontend',
  title: 'Dynamo frontend',
  verifiedAgainst: [
    { version: "of aiperf's test data", how: 'capture' },
    { version: 'August 2026', how: 'documentation' },
  ],
  defaultPort: 8000,
  metrics: openPage,
  health: { path: '/health', loadingIs503: true },
  version: undefined,
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings', 'responses'],
  checksModel: true,
  rankLabel: undefined,
  modelLabels: ['model'],
  progress: { names: ['dynamo_frontend_output_tokens_total', 'dynamo_frontend_output_sequence_tokens_sum'] },
  kvUsageMeans: 'absent',
  latencyHistograms: true,
  families,
  own: dynamoFrontendFamilies,
  page: {
    version: 'August 2026',
    labelSets: {
      default: { model: 'model' },
      request: { model: 'model', fixed: { endpoint: 'chat_completions', request_type: 'stream' } },
    },
  },
  launch: [],
  doubts: [
    'The prefix of its families can be changed (DYN_METRICS_PREFIX): another one is not found.',
    'Newer versions call queued and in-flight requests deprecated; without them only the active ones are known.',
  ],
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  const page = pageMark(evidence, 'dynamo_frontend_', "the Dynamo frontend's");
  // Others of NVIDIA's servers may own their models by the same name.
  if (ownedBy(evidence) === 'nvidia' && familyNamed(evidence, 'dynamo_frontend_') !== undefined) {
    return {
      certainty: 'known',
      reason: '/v1/models says owned_by "nvidia", and its page is the Dynamo frontend\'s',
    };
  }
  return page;
}
