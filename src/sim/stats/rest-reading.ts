import { oneTwoFive } from '../../catalog/bounds.ts';
import { emptyReading } from '../../engines/empty-reading.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import type { Reading } from '../../engines/reading.ts';

const TOKEN_HISTOGRAMS = [
  'vllm:request_prompt_tokens',
  'vllm:request_generation_tokens',
  'vllm:request_max_num_generation_tokens',
  'vllm:request_params_max_tokens',
  'vllm:request_prefill_kv_computed_tokens',
];

/** What the kind's page says of this engine before its first request. */
export function restReading(
  profile: EngineProfile | undefined,
  sizes: { model: string; ranks: number; contextTokens: number; kvTokens: number; blockTokens: number },
): Reading {
  const { model, contextTokens, kvTokens, blockTokens } = sizes;
  const ranks = Array.from({ length: sizes.ranks }, (_, rank) => String(rank));
  if (profile === undefined) return { series: new Map(), ranks, modelName: model };
  return emptyReading(profile, {
    modelName: model,
    ranks,
    // Its token histograms end where the model's context does.
    bounds: Object.fromEntries(
      profile.kind === 'vllm' ? TOKEN_HISTOGRAMS.map((name) => [name, oneTwoFive(contextTokens)]) : [],
    ),
    cacheConfig: cacheConfigOf(profile.kind, { contextTokens, kvTokens, blockTokens }),
  });
}

function cacheConfigOf(
  kind: string,
  { contextTokens, kvTokens, blockTokens }: { contextTokens: number; kvTokens: number; blockTokens: number },
): Readonly<Record<string, string>> {
  // Strata has no pool: what it calls its cache is the context of one request.
  if (kind === 'strata') return { kv_cache_size_tokens: String(contextTokens) };
  const common = {
    block_size: String(blockTokens),
    num_gpu_blocks: String(kvTokens / blockTokens),
    kv_cache_size_tokens: String(kvTokens),
  };
  if (kind !== 'vllm') return common;
  return {
    ...common,
    cache_dtype: 'auto',
    calculate_kv_scales: 'False',
    enable_prefix_caching: 'True',
    gpu_memory_utilization: '0.9',
    num_cpu_blocks: 'None',
    num_gpu_blocks_override: 'None',
    prefix_caching_hash_algo: 'sha256',
    sliding_window: 'None',
    swap_space: '4',
  };
}
