import { dynamoWorkerFamilies } from '../catalog/kind-dynamo.ts';
import { vllmFamilies } from '../catalog/vllm.ts';
import { pageMark } from './marks.ts';
import { openPage } from './open-page.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { mapSources } from './rename.ts';
import { SCHEDULER_COPIES, sglangSupplies } from './sglang-families.ts';
import { trtllmSupplies } from './trtllm-families.ts';
import { vllmNames } from './vllm-names.ts';

/** What the worker says itself where the engine inside says nothing. */
const OWN: Readonly<Record<string, Supply>> = {
  'vllm:num_requests_running': { names: ['dynamo_component_inflight_requests'], labelSet: 'endpoint' },
  'vllm:kv_cache_usage_perc': {
    names: ['dynamo_component_gpu_cache_usage_percent', 'dynamo_component_kvstats_gpu_cache_usage_percent'],
    optional: true,
  },
  'vllm:cache_config_info': {
    info: {
      num_gpu_blocks: {
        names: ['dynamo_component_total_blocks', 'dynamo_component_kvstats_total_blocks'],
        optional: true,
      },
    },
  },
  'vllm:request_success_total': {
    missing: 'dynamo_component_requests_total counts requests taken, not requests finished.',
  },
};

/** Which engine is inside is not known before: each of its families may be absent. */
const passedThrough = (source: Source): Source => ({ ...source, optional: true, labelSet: 'default' });

/** A figure that an engine derives from another of its families is derived there as well. */
function supplyOf(family: string): Supply {
  const inside = [vllmNames[family], sglangSupplies[family], trtllmSupplies[family]]
    .filter((supply): supply is Supply => supply !== undefined && !('missing' in supply))
    .map((supply) => mapSources(supply, passedThrough));
  const own = OWN[family];
  return { firstOf: own === undefined ? inside : [...inside, own] };
}

const families: Readonly<Record<string, Supply>> = Object.fromEntries(
  vllmFamilies.map(({ name }) => [name, supplyOf(name)]),
);

/** A worker of Dynamo's: its own families and those of the engine inside, on the port of its system server. */
export const dynamoWorker: EngineProfile = {
  kind: 'dynamo-worker',
  title: 'Dynamo worker',
  verifiedAgainst: [
    { version: 'August 2026, its own families', how: 'documentation' },
    { version: '1.1.0rc5 of TensorRT-LLM inside', how: 'documentation' },
  ],
  defaultPort: 8081,
  metrics: { ...openPage, onByDefault: false },
  health: { path: '/health', loadingIs503: true },
  version: undefined,
  modelsPath: '/v1/models',
  apis: [],
  checksModel: false,
  rankLabel: 'engine',
  olderRankLabels: ['dp_rank'],
  modelLabels: ['model_name', 'model'],
  modelPlaceholder: 'undefined',
  progress: {
    names: ['vllm:generation_tokens_total', 'sglang:realtime_tokens_total', 'trtllm_generation_tokens_total'],
    pickOne: SCHEDULER_COPIES,
  },
  kvUsageMeans: 'pool',
  latencyHistograms: true,
  families,
  own: dynamoWorkerFamilies,
  page: undefined,
  launch: [
    {
      flag: 'DYN_SYSTEM_PORT=8081',
      brings: 'the system server with health and metrics; it is off without',
      needed: true,
      forPage: true,
    },
  ],
  doubts: ['A worker answers no OpenAI requests: it is watched here, and requests go to its frontend.'],
  detect: (evidence) => pageMark(evidence, 'dynamo_component_', "a Dynamo worker's"),
};
