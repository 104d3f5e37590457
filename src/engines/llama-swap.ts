import { llamaSwapFamilies } from '../catalog/kind-llama-swap.ts';
import { ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Supply } from './profile.ts';

const OF_THE_MACHINE =
  'Its page is of the machine only; the page of an engine behind it cannot be asked for without starting the engine.';

const families: Readonly<Record<string, Supply>> = Object.fromEntries(
  [
    'vllm:num_requests_running',
    'vllm:num_requests_waiting',
    'vllm:kv_cache_usage_perc',
    'vllm:prompt_tokens_total',
    'vllm:generation_tokens_total',
    'vllm:request_success_total',
    'vllm:time_to_first_token_seconds',
    'vllm:inter_token_latency_seconds',
    'vllm:e2e_request_latency_seconds',
  ].map((name) => [name, { missing: OF_THE_MACHINE }]),
);

/** llama-swap, which starts an engine for the model a request names. `/upstream/...` would start one: never asked. */
export const llamaSwap: EngineProfile = {
  kind: 'llama-swap',
  title: 'llama-swap',
  verifiedAgainst: [{ version: '0bdb3720', how: 'documentation' }],
  defaultPort: 8080,
  metrics: { ...openPage, guarded: true },
  health: { path: '/health', loadingIs503: false, note: 'It says nothing of the engines behind it.' },
  version: { path: '/api/version', field: 'version' },
  modelsPath: '/v1/models',
  loadedPath: '/running',
  apis: ['chat', 'completions', 'embeddings', 'rerank', 'audio'],
  checksModel: true,
  rankLabel: undefined,
  modelLabels: [],
  progress: undefined,
  kvUsageMeans: 'absent',
  latencyHistograms: false,
  families,
  own: llamaSwapFamilies,
  page: undefined,
  launch: [],
  detect: (evidence) => ownerMark(evidence, 'llama-swap') ?? pageMark(evidence, 'llamaswap_', "llama-swap's"),
};
