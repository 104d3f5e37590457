import { ownerMark } from './marks.ts';
import type { EngineProfile, Supply } from './profile.ts';

const NO_QUEUE = 'MLC-LLM does not say how many requests it has.';
const LAST_ONLY = 'MLC-LLM says it of the last finished request only.';

const families: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': { missing: NO_QUEUE },
  'vllm:num_requests_waiting': { missing: NO_QUEUE },
  'vllm:kv_cache_usage_perc': { missing: 'MLC-LLM does not say how full its cache is.' },
  'vllm:prompt_tokens_total': { names: ['prompt_tokens_sum'] },
  'vllm:generation_tokens_total': { names: ['completion_tokens_sum'] },
  'vllm:request_success_total': { missing: 'MLC-LLM counts no requests.' },
  'vllm:time_to_first_token_seconds': { missing: LAST_ONLY },
  'vllm:inter_token_latency_seconds': { missing: LAST_ONLY },
  'vllm:e2e_request_latency_seconds': { missing: LAST_ONLY },
  'vllm:num_preemptions_total': { missing: 'MLC-LLM counts no preemptions.' },
};

/** MLC-LLM in server mode. Its page is lines of name, tab, value, and of its first engine only. */
export const mlcLlm: EngineProfile = {
  kind: 'mlc-llm',
  title: 'MLC-LLM',
  verifiedAgainst: [{ version: '79d603f0', how: 'own page' }],
  defaultPort: 8000,
  metrics: {
    path: '/metrics',
    accept: 'text/plain',
    guarded: false,
    onByDefault: true,
    otherForm: { lines: 'tab-separated' },
  },
  health: { path: '/health', loadingIs503: true, note: 'It is not known to have one: any answer will do.' },
  version: undefined,
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings'],
  checksModel: false,
  rankLabel: undefined,
  modelLabels: [],
  progress: { names: ['completion_tokens_sum'] },
  kvUsageMeans: 'absent',
  latencyHistograms: false,
  families,
  own: [],
  page: undefined,
  launch: [],
  detect: (evidence) => ownerMark(evidence, 'MLC-LLM'),
};
