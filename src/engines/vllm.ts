import type { Evidence, Mark } from './evidence.ts';
import { familyNamed, ownerMark, pageMark } from './marks.ts';
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
  metrics: {
    path: '/metrics',
    accept: 'text/plain; version=0.0.4',
    guarded: false,
    onByDefault: true,
  },
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

/** llm-d-inference-sim says it is vLLM in every answer; only its page gives it away. */
function detect(evidence: Evidence): Mark | undefined {
  const known = ownerMark(evidence, 'vllm');
  const looksAlike = evidence.labels?.has('finish_reason') === true && !evidence.labels.has('engine');
  if (known !== undefined && looksAlike) {
    return {
      certainty: 'guess',
      reason: `${known.reason}, but its page has finish_reason and no engine label, as llm-d-inference-sim's`,
    };
  }
  // Strata's page has vLLM's names beside its own.
  if (familyNamed(evidence, 'strata:') !== undefined) return known;
  return known ?? pageMark(evidence, 'vllm:', "vLLM's");
}
