import type { Evidence, Mark } from './evidence.ts';
import { isSimulatorPage, ownedBy } from './marks.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { mapSources } from './rename.ts';
import { vllm } from './vllm.ts';
import { vllmNames } from './vllm-names.ts';

/** What its smallest page has; the rest depends on the version. */
const ALWAYS: ReadonlySet<string> = new Set([
  'vllm:num_requests_running',
  'vllm:num_requests_waiting',
  'vllm:kv_cache_usage_perc',
  'vllm:request_success_total',
  'vllm:cache_config_info',
]);

const REASONS = {
  finished_reason: {
    from: ['finish_reason', 'finished_reason'],
    values: { stop: 'stop', length: 'length', tool_calls: 'stop', remote_decode: 'other' },
  },
} as const;

function ofSim(name: string, source: Source): Source {
  const always = ALWAYS.has(name);
  const { optional: _, ...rest } = source;
  return {
    ...rest,
    ...(always ? {} : { optional: true }),
    ...(name === 'vllm:request_success_total' ? { labels: REASONS } : {}),
  };
}

const families: Readonly<Record<string, Supply>> = {
  ...Object.fromEntries(
    Object.entries(vllmNames).map(([name, supply]) => [
      name,
      mapSources(supply, (source) => ofSim(name, source)),
    ]),
  ),
  // Its word for the same figure.
  'vllm:request_max_num_generation_tokens': {
    names: ['vllm:request_max_num_generation_tokens', 'vllm:max_num_generation_tokens'],
    optional: true,
  },
};

/** llm-d-inference-sim: a simulator that says it is vLLM. A part of vLLM's names, no ranks, `finish_reason`. */
export const llmDSim: EngineProfile = {
  ...vllm,
  kind: 'llm-d-inference-sim',
  title: 'llm-d-inference-sim',
  verifiedAgainst: [{ version: 'eec055a', how: 'own page' }],
  health: { path: '/health', loadingIs503: false },
  version: undefined,
  apis: ['chat', 'completions', 'embeddings', 'tokenize'],
  rankLabel: undefined,
  families,
  page: {
    version: 'eec055a',
    labelSets: { default: { model: 'model_name' }, info: {} },
  },
  launch: [],
  doubts: ['With --fake-metrics its figures are constants and say nothing of its load.'],
  detect,
};

/** It owns its models as vLLM does, and has no /version to tell; its page has another label for the reason and no rank. */
function detect(evidence: Evidence): Mark | undefined {
  if (!isSimulatorPage(evidence)) return undefined;
  const owned = ownedBy(evidence) === 'vllm' ? '/v1/models says owned_by "vllm", but ' : '';
  return {
    certainty: 'guess',
    reason: `${owned}its page has vLLM's names with a finish_reason and without an engine label, as llm-d-inference-sim's`,
  };
}
