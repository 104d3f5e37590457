import { oneTwoFive } from '../../catalog/bounds.ts';
import { emptyReading, ownLabelSets } from '../../engines/empty-reading.ts';
import { emptyHistogram } from '../../engines/histogram.ts';
import { labelSetOf } from '../../engines/page-labels.ts';
import type { EngineProfile, Source, Supply } from '../../engines/profile.ts';
import type { Reading, Series } from '../../engines/reading.ts';
import type { OwnValues } from '../../engines/write-own.ts';

const TOKEN_HISTOGRAMS = [
  'vllm:request_prompt_tokens',
  'vllm:request_generation_tokens',
  'vllm:request_max_num_generation_tokens',
  'vllm:request_params_max_tokens',
  'vllm:request_prefill_kv_computed_tokens',
];

const ADAPTERS = 'vllm:lora_requests_info';
const ACCEPTED_BY_POSITION = 'vllm:spec_decode_num_accepted_tokens_per_pos_total';

export interface RestSettings {
  readonly model: string;
  readonly ranks: number;
  readonly contextTokens: number;
  readonly kvTokens: number;
  readonly blockTokens: number;
  /** Families that the page has beyond those of its profile's usual one, by the contract's name. */
  readonly switchedOn: ReadonlySet<string>;
  /** Places in a draft. */
  readonly draftTokens: number;
}

/** What the kind's page says of this engine before its first request. */
export function restReading(profile: EngineProfile | undefined, settings: RestSettings): Reading {
  const { model, contextTokens, kvTokens, blockTokens } = settings;
  const ranks = Array.from({ length: settings.ranks }, (_, rank) => String(rank));
  if (profile === undefined) return { series: new Map(), ranks, modelName: model };
  const reading = emptyReading(withOptional(profile, settings.switchedOn), {
    modelName: model,
    ranks,
    // Its token histograms end where the model's context does.
    bounds: Object.fromEntries(
      profile.kind === 'vllm' ? TOKEN_HISTOGRAMS.map((name) => [name, oneTwoFive(contextTokens)]) : [],
    ),
    cacheConfig: cacheConfigOf(profile.kind, { contextTokens, kvTokens, blockTokens }),
  });
  const open = [...settings.switchedOn].flatMap((name): readonly [string, readonly Series[]][] => {
    const source = profile.families[name];
    if (source === undefined || !('names' in source)) return [];
    if (name === ADAPTERS) return [[name, []]];
    if (name !== ACCEPTED_BY_POSITION) return [];
    const perRank = profile.page !== undefined && labelSetOf(profile.page, source).rank !== undefined;
    return [[name, byPosition(perRank ? ranks : ranks.slice(0, 1), settings.draftTokens)]];
  });
  return { ...reading, series: new Map([...reading.series, ...open, ...ownHistograms(profile, ranks)]) };
}

/** They are measured like those of the contract; the page takes them from here. */
function ownHistograms(
  { own, page }: EngineProfile,
  ranks: readonly string[],
): readonly (readonly [string, readonly Series[]])[] {
  const perRank = page?.labelSets.default.rank !== undefined;
  return own
    .filter(({ type, flag, when }) => type === 'histogram' && flag === undefined && when === undefined)
    .map((family) => [
      family.name,
      (perRank ? ranks : ranks.slice(0, 1)).flatMap((engine) =>
        ownLabelSets(family).map((labels) => ({
          labels: { engine, ...labels },
          value: emptyHistogram(family.bounds ?? []),
        })),
      ),
    ]);
}

/** Of a reading, what is the kind's own. */
export function ownMeasured({ own }: EngineProfile, { series }: Reading): OwnValues {
  return Object.fromEntries(
    own.flatMap(({ name }) => {
      const measured = series.get(name);
      return measured === undefined ? [] : [[name, measured]];
    }),
  );
}

function byPosition(ranks: readonly string[], draftTokens: number): readonly Series[] {
  return ranks.flatMap((engine) =>
    Array.from({ length: draftTokens }, (_, position) => ({
      labels: { engine, position: String(position) },
      value: 0,
    })),
  );
}

/** The profile of an engine that was started with more than it needs. */
function withOptional(profile: EngineProfile, names: ReadonlySet<string>): EngineProfile {
  const families = Object.entries(profile.families).map(([name, supply]): [string, Supply] => [
    name,
    names.has(name) ? always(supply) : supply,
  ]);
  return { ...profile, families: Object.fromEntries(families) };
}

function always(supply: Supply): Supply {
  const there = (source: Source): Source => ({ ...source, optional: false });
  if ('names' in supply) return there(supply);
  return 'each' in supply ? { each: supply.each.map(there) } : supply;
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
