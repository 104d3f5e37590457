import type { Evidence, Mark } from './evidence.ts';
import { isSimulatorPage, ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile } from './profile.ts';
import { VLLM_VERSION, vllmNames } from './vllm-names.ts';

/** vLLM, V1 and the V0 names before it. Its names are the contract's. */
export const vllm: EngineProfile = {
  kind: 'vllm',
  title: 'vLLM',
  verifiedAgainst: [
    { version: VLLM_VERSION, how: 'documentation' },
    { version: '0.4.3', how: 'capture' },
    { version: '0.7', how: 'capture' },
    { version: '0.8', how: 'capture' },
  ],
  defaultPort: 8000,
  metrics: openPage,
  health: {
    path: '/health',
    loadingIs503: false,
    note: 'It refuses connections until the model is loaded, and says 200 while it sleeps.',
  },
  version: { path: '/version', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings', 'responses', 'messages', 'rerank', 'tokenize', 'audio'],
  checksModel: true,
  rankLabel: 'engine',
  modelLabels: ['model_name'],
  progress: { names: ['vllm:generation_tokens_total'] },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families: vllmNames,
  own: [],
  page: {
    version: VLLM_VERSION,
    labelSets: {
      default: { model: 'model_name', rank: 'engine', rankOfOne: true },
      info: { rank: 'engine', rankOfOne: true },
    },
  },
  launch: [
    {
      flag: '(no --disable-log-stats)',
      brings: 'metrics at /metrics: they are on unless this flag turns them off',
      needed: true,
    },
    { flag: '--kv-cache-metrics', brings: 'how long KV blocks live and lie idle', needed: false },
    {
      flag: '--enable-mfu-metrics',
      brings: 'estimated floating point operations and memory traffic',
      needed: false,
    },
  ],
  detect,
};

/** Others say that they are vLLM, too; `/version` is vLLM's own, though a proxy may not let it through. */
function detect(evidence: Evidence): Mark | undefined {
  if (isSimulatorPage(evidence)) return undefined;
  const page = pageMark(evidence, 'vllm:', "vLLM's");
  const owned = ownerMark(evidence, 'vllm');
  if (owned === undefined) return page;
  const { version } = evidence;
  if (version === undefined || version.status === 200 || page !== undefined) return owned;
  return {
    certainty: 'guess',
    reason: `${owned.reason}, but /version answers ${version.status}, which vLLM has and its look-alikes have not`,
  };
}
