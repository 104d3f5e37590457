import { sglangFamilies } from '../catalog/kind-sglang.ts';
import { ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile } from './profile.ts';
import { SCHEDULER_COPIES, sglangSupplies } from './sglang-families.ts';

/** What every scheduler series of one TP group says, beside rank and model. */
const SCHEDULER = { engine_type: 'unified', moe_ep_rank: '0', pp_rank: '0', tp_rank: '0' } as const;

/**
 * SGLang. Prompt and generation counters move when a request finishes; scheduler gauges are written at log
 * intervals and may keep their last busy value, so progress is what tells an idle engine from a stuck one.
 */
export const sglang: EngineProfile = {
  kind: 'sglang',
  title: 'SGLang',
  verifiedAgainst: [
    { version: '0.3 to 0.4', how: 'documentation' },
    { version: '0.4.4', how: 'capture' },
    { version: '0.5.1', how: 'capture' },
    { version: 'main, August 2026', how: 'own page' },
  ],
  defaultPort: 30000,
  metrics: { ...openPage, onByDefault: false },
  health: {
    path: '/health',
    loadingIs503: true,
    costly: true,
    note: 'Each check generates a token and takes over a second, unless SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION=0.',
  },
  version: { path: '/get_server_info', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'embeddings', 'responses', 'rerank', 'tokenize'],
  checksModel: false,
  rankLabel: 'dp_rank',
  modelLabels: ['model_name', 'name'],
  progress: {
    names: ['sglang:realtime_tokens_total', 'sglang_realtime_tokens_total'],
    pickOne: SCHEDULER_COPIES,
  },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families: sglangSupplies,
  own: sglangFamilies,
  page: {
    version: '0.5',
    labelSets: {
      default: { model: 'model_name', rank: 'dp_rank', fixed: SCHEDULER },
      priority: { model: 'model_name', rank: 'dp_rank', fixed: { ...SCHEDULER, priority: '' } },
      process: { model: 'model_name', rank: 'dp_rank', fixed: { ...SCHEDULER, pid: '4711' } },
      tokenizer: { model: 'model_name' },
      streaming: { model: 'model_name', fixed: { is_streaming: ['True', 'False'] } },
    },
    also: {
      'vllm:cache_config_info': [
        {
          names: ['sglang:cache_config_info'],
          labelSet: 'tokenizer',
          labels: { block_size: { from: 'page_size' }, num_gpu_blocks: { from: 'num_pages' } },
          without: ['kv_cache_size_tokens'],
        },
      ],
    },
    own: {
      'sglang:num_retracted_reqs': { labelSet: 'process' },
      'sglang:num_aborted_requests_total': { labelSet: 'tokenizer' },
    },
  },
  launch: [
    {
      flag: '--enable-metrics',
      brings: 'metrics at /metrics; without it the path answers 404',
      needed: true,
      forPage: true,
    },
    {
      flag: 'SGLANG_ENABLE_HEALTH_ENDPOINT_GENERATION=0',
      brings: 'health checks that answer at once and cost no token',
      needed: false,
    },
  ],
  detect: (evidence) =>
    ownerMark(evidence, 'sglang') ??
    pageMark(evidence, 'sglang:', "SGLang's") ??
    pageMark(evidence, 'sglang_', "SGLang's"),
};
