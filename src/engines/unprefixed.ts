import type { EngineProfile, Supply } from './profile.ts';
import { renamed } from './rename.ts';
import { vllm } from './vllm.ts';
import { vllmNames } from './vllm-names.ts';

/**
 * Engines that speak vLLM's names without their prefix. Such names are anybody's, so nothing on the page makes these
 * kinds known: a config names them.
 */
export function unprefixed(
  profile: Pick<
    EngineProfile,
    'kind' | 'title' | 'defaultPort' | 'metrics' | 'doubts' | 'detect' | 'verifiedAgainst'
  > & {
    /** The name of the KV figure. */
    readonly kvUsage: string;
  },
): EngineProfile {
  const { kvUsage, ...own } = profile;
  const families: Readonly<Record<string, Supply>> = {
    ...renamed(vllmNames, (name) => [name.replace(/^vllm:/, '')]),
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
