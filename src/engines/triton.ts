import { tritonFamilies } from '../catalog/kind-triton.ts';
import type { Evidence, Mark } from './evidence.ts';
import { isRecord, jsonOf, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

const request = (type: string): Source => ({
  names: ['nv_trt_llm_request_metrics'],
  where: { request_type: type },
  labelSet: 'versioned',
});
const blocks = (type: string): Source => ({
  names: ['nv_trt_llm_kv_cache_block_metrics'],
  where: { kv_cache_block_type: type },
  labelSet: 'versioned',
});
const MEAN_ONLY = 'Triton has only the sum over all requests, in microseconds: a mean and no distribution.';

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': request('active'),
  'vllm:num_requests_waiting': {
    firstOf: [request('waiting'), { names: ['nv_inference_pending_request_count'] }],
  },
  'vllm:kv_cache_usage_perc': blocks('fraction'),
  'vllm:cache_config_info': { info: { block_size: blocks('tokens_per'), num_gpu_blocks: blocks('max') } },
  'vllm:prompt_tokens_total': {
    names: ['nv_llm_input_token_len'],
    part: 'sum',
    lazy: true,
    labelSet: 'versioned',
  },
  'vllm:generation_tokens_total': {
    names: ['nv_llm_output_token_len'],
    part: 'sum',
    lazy: true,
    labelSet: 'versioned',
  },
  'vllm:request_prompt_tokens': { names: ['nv_llm_input_token_len'], lazy: true, labelSet: 'versioned' },
  'vllm:request_generation_tokens': { names: ['nv_llm_output_token_len'], lazy: true, labelSet: 'versioned' },
  'vllm:request_success_total': {
    names: ['nv_inference_request_success'],
    without: ['finished_reason'],
    labelSet: 'versioned',
  },
  'vllm:time_to_first_token_seconds': {
    names: ['nv_inference_first_response_histogram_ms'],
    scale: 0.001,
    bounds: [0.1, 0.5, 2, 5],
    optional: true,
  },
  'vllm:inter_token_latency_seconds': { missing: 'Triton does not measure gaps between tokens.' },
  'vllm:e2e_request_latency_seconds': { missing: MEAN_ONLY },
  'vllm:request_queue_time_seconds': { missing: MEAN_ONLY },
  'vllm:request_inference_time_seconds': { missing: MEAN_ONLY },
  'vllm:num_preemptions_total': {
    missing: 'Triton counts no preemptions; paused requests are a gauge of the batcher.',
  },
  'vllm:prefix_cache_queries_total': { missing: 'Triton does not count look-ups in the prefix cache.' },
  'vllm:prefix_cache_hits_total': { missing: 'Triton does not count hits in the prefix cache.' },
  'vllm:engine_sleep_state': { missing: 'Triton does not sleep.' },
};

/**
 * NVIDIA Triton with the TensorRT-LLM backend. One family has many meanings, chosen by a label. What it counts of
 * requests moves when their answer is complete; before 23.12 it stays 0 for TensorRT-LLM models.
 */
export const triton: EngineProfile = {
  kind: 'triton',
  title: 'Triton (TensorRT-LLM)',
  verifiedAgainst: [
    { version: '23.12', how: 'documentation' },
    { version: 'not stated in the capture, without TensorRT-LLM', how: 'capture' },
  ],
  defaultPort: 8000,
  metrics: { ...openPage, port: 8002 },
  health: { path: '/v2/health/ready', loadingIs503: true },
  version: { path: '/v2', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions'],
  checksModel: true,
  rankLabel: undefined,
  modelLabels: ['model'],
  progress: undefined,
  kvUsageMeans: 'pool',
  latencyHistograms: false,
  families,
  own: tritonFamilies,
  page: {
    version: '23.12',
    labelSets: { default: { model: 'model' }, versioned: { model: 'model', fixed: { version: '1' } } },
  },
  launch: [
    {
      flag: '(no --allow-metrics=false)',
      brings: 'metrics on port 8002 (--metrics-port); if they are elsewhere, say so with `metrics`',
      needed: true,
    },
  ],
  doubts: [
    "Triton's own HTTP API is not OpenAI's: only behind its OpenAI frontend can requests be sent to it.",
    'Each step of an ensemble is a model of its own and counts the same request again.',
  ],
  confirmPath: '/v2',
  detect,
};

function detect(evidence: Evidence): Mark | undefined {
  const server = jsonOf(evidence.confirmed);
  if (isRecord(server) && server['name'] === 'triton') {
    return { certainty: 'known', reason: '/v2 says name "triton"' };
  }
  return pageMark(evidence, 'nv_inference_', "Triton's") ?? pageMark(evidence, 'nv_trt_llm_', "Triton's");
}
