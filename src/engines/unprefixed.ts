import type { EngineProfile, Supply } from './profile.ts';
import { mapSources, renamed } from './rename.ts';
import { vllm } from './vllm.ts';
import { vllmNames } from './vllm-names.ts';

/** What these engines are known to have; the rest of vLLM's names is looked for and not missed. */
const ESTABLISHED: ReadonlySet<string> = new Set([
  'vllm:num_requests_running',
  'vllm:num_requests_waiting',
  'vllm:prompt_tokens_total',
  'vllm:generation_tokens_total',
  'vllm:request_success_total',
  'vllm:time_to_first_token_seconds',
]);

function asEstablished(name: string, supply: Supply): Supply {
  return ESTABLISHED.has(name) ? supply : mapSources(supply, (source) => ({ ...source, optional: true }));
}

/**
 * Engines that speak vLLM's names without their prefix. Such names are anybody's, so nothing on the page makes these
 * kinds known: a config names them.
 */
export function unprefixed(
  profile: Pick<
    EngineProfile,
    'kind' | 'title' | 'defaultPort' | 'metrics' | 'doubts' | 'onlyByConfig' | 'detect' | 'verifiedAgainst'
  > & {
    /** The name of the KV figure. */
    readonly kvUsage: string;
  },
): EngineProfile {
  const { kvUsage, ...own } = profile;
  const bare = renamed(vllmNames, (name) => [name.replace(/^vllm:/, '')]);
  const families: Readonly<Record<string, Supply>> = {
    ...Object.fromEntries(Object.entries(bare).map(([name, supply]) => [name, asEstablished(name, supply)])),
    'vllm:kv_cache_usage_perc': { names: [kvUsage, 'kv_cache_usage_perc'] },
  };
  return {
    ...vllm,
    health: { path: '/health', loadingIs503: true },
    apis: ['chat', 'completions'],
    version: undefined,
    progress: { names: ['generation_tokens_total'] },
    families,
    launch: [],
    page: { version: 'not established', labelSets: { default: { model: 'model_name' }, info: {} } },
    rankLabel: undefined,
    ...own,
  };
}
