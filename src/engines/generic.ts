import { openPage } from './open-page.ts';
import type { EngineProfile } from './profile.ts';
import { vllmNames } from './vllm-names.ts';

/** An engine of a kind nobody knows: OpenAI's paths and vLLM's names, which many engines speak, and no promises. */
export const genericProfile: EngineProfile = {
  kind: 'generic',
  title: 'Unknown engine',
  verifiedAgainst: [],
  defaultPort: 8000,
  metrics: { ...openPage, guarded: true, onByDefault: false },
  health: { path: '/health', loadingIs503: true },
  version: { path: '/version', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings'],
  checksModel: false,
  rankLabel: 'engine',
  modelLabels: ['model_name', 'model'],
  progress: { names: ['vllm:generation_tokens_total'] },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families: vllmNames,
  own: [],
  page: undefined,
  launch: [],
  detect: () => undefined,
};
