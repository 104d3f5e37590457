import { trtllmFamilies } from '../catalog/kind-trtllm.ts';
import type { Evidence, Mark } from './evidence.ts';
import { ownerMark, pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile } from './profile.ts';
import { trtllmSupplies } from './trtllm-families.ts';

/**
 * TensorRT-LLM's trtllm-serve. Its `/metrics` is JSON that is gone once read, so the text page is asked for. The
 * gauges move only when a request completes: between completions running, waiting and KV usage are old.
 */
export const trtllm: EngineProfile = {
  kind: 'trtllm',
  title: 'TensorRT-LLM',
  verifiedAgainst: [
    { version: '1.0', how: 'capture' },
    { version: '1.1.0rc5', how: 'documentation' },
    { version: '1.3', how: 'own page' },
  ],
  defaultPort: 8000,
  metrics: { ...openPage, path: '/prometheus/metrics', onByDefault: false },
  health: { path: '/health', loadingIs503: false },
  version: { path: '/version', field: 'version' },
  modelsPath: '/v1/models',
  apis: ['chat', 'completions', 'responses'],
  checksModel: false,
  // Whatever goes wrong before the stream is a 400; only what names the device is surely not the client's.
  misleading: [{ status: 400, says: /\bCUDA\b.*\b(?:error|out of memory)\b/i, fault: 'engine' }],
  rankLabel: undefined,
  modelLabels: ['model_name'],
  modelPlaceholder: 'undefined',
  progress: undefined,
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families: trtllmSupplies,
  own: trtllmFamilies,
  page: {
    version: '1.3',
    labelSets: { default: { model: 'model_name', fixed: { engine_type: 'pytorch' } } },
  },
  launch: [
    {
      flag: 'return_perf_metrics: true',
      brings: 'metrics at /prometheus/metrics (in the YAML of --extra_llm_api_options)',
      needed: true,
      forPage: true,
    },
    {
      flag: 'enable_iter_perf_stats: true',
      brings: 'running, waiting and KV usage (in the same YAML)',
      needed: true,
    },
  ],
  detect,
};

/** Without prefix the names are anybody's; the label beside them is not. */
function detect(evidence: Evidence): Mark | undefined {
  const mark = ownerMark(evidence, 'tensorrt_llm') ?? pageMark(evidence, 'trtllm_', "TensorRT-LLM's");
  if (mark !== undefined) return mark;
  const { families, labels } = evidence;
  if (labels?.has('engine_type') !== true || families?.has('time_to_first_token_seconds') !== true) {
    return undefined;
  }
  return {
    certainty: 'guess',
    reason:
      'its page has names without prefix (time_to_first_token_seconds) and an engine_type label, as TensorRT-LLM 1.0 to 1.2',
  };
}
