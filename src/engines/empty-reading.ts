import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import type { Labels } from '../exposition/exposition.ts';
import { emptyHistogram } from './histogram.ts';
import { ONLY_RANK } from './page-index.ts';
import { labelSetOf } from './page-labels.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import type { Reading, Series } from './reading.ts';

export interface EmptyOptions {
  readonly modelName: string;
  /** "0" alone when left out. Only kinds with a rank label have more. */
  readonly ranks?: readonly string[];
  /** Bounds of single families, by name, where they are not the kind's usual ones (token histograms: `oneTwoFive`). */
  readonly bounds?: Readonly<Record<string, readonly number[]>>;
  /** Labels of `vllm:cache_config_info`. */
  readonly cacheConfig?: Labels;
}

const NO_CACHE: Labels = { block_size: '16', num_gpu_blocks: '0' };

/** An engine at rest is awake. */
const AT_REST: Readonly<Record<string, string>> = { 'vllm:engine_sleep_state': 'awake' };

/**
 * What an engine of this kind says before its first request: every family of its page at 0, closed label sets in
 * full. Families that need a flag, or another version than the one the page stands for, are not in it.
 */
export function emptyReading(profile: EngineProfile, options: EmptyOptions): Reading {
  const ranks = options.ranks ?? [ONLY_RANK];
  const series = new Map<string, readonly Series[]>();
  for (const name of Object.keys(profile.families)) {
    const found = emptyFamily(profile, name, options);
    if (found.length > 0) series.set(name, found);
  }
  return { series, ranks, modelName: options.modelName };
}

function emptyFamily(profile: EngineProfile, name: string, options: EmptyOptions): readonly Series[] {
  const family = familyOf(name);
  const supply = profile.families[name];
  if (family === undefined || supply === undefined) return [];
  return emptySupply(profile, family, supply, options);
}

function emptySupply(
  profile: EngineProfile,
  family: CatalogFamily,
  supply: Supply,
  options: EmptyOptions,
): readonly Series[] {
  const ofSource = (source: Source): readonly Series[] => emptySource(profile, family, source, options);
  if ('names' in supply) return ofSource(supply);
  if ('sum' in supply) return supply.sum.slice(0, 1).flatMap(ofSource);
  if ('each' in supply) return supply.each.flatMap(ofSource);
  if ('firstOf' in supply) {
    return supply.firstOf.slice(0, 1).flatMap((first) => emptySupply(profile, family, first, options));
  }
  if ('ratio' in supply) return ofSource(supply.ratio[0]);
  if ('info' in supply) return emptyInfo(profile, supply.info, options);
  if ('sameAs' in supply) {
    const needed = supply.onlyWith;
    const given = needed === undefined || emptyFamily(profile, needed, options).length > 0;
    return given ? emptyFamily(profile, supply.sameAs, options) : [];
  }
  return [];
}

function emptySource(
  profile: EngineProfile,
  family: CatalogFamily,
  source: Source,
  options: EmptyOptions,
): readonly Series[] {
  if (source.optional === true) return [];
  const ranks = ranksOf(profile, source, options);
  if (family.ranks === 'info') {
    return ranks.map((engine) => ({ labels: { engine, ...(options.cacheConfig ?? NO_CACHE) }, value: 1 }));
  }
  const bounds = options.bounds?.[family.name] ?? source.bounds ?? family.bounds ?? [];
  return ranks.flatMap((engine) =>
    ownLabelSets(family, source).map((own) => ({
      labels: { engine, ...own, ...source.constant },
      value: family.type === 'histogram' ? emptyHistogram(bounds) : valueAtRest(family, own),
    })),
  );
}

function valueAtRest({ name }: CatalogFamily, own: Labels): number {
  const state = AT_REST[name];
  return state !== undefined && Object.values(own).includes(state) ? 1 : 0;
}

function emptyInfo(
  profile: EngineProfile,
  info: Readonly<Record<string, Source>>,
  options: EmptyOptions,
): readonly Series[] {
  const [first] = Object.values(info);
  if (first === undefined) return [];
  const config = options.cacheConfig ?? NO_CACHE;
  const values = Object.fromEntries(Object.keys(info).map((label) => [label, config[label] ?? '0']));
  return ranksOf(profile, first, options).map((engine) => ({ labels: { engine, ...values }, value: 1 }));
}

/** Series of the whole process stand in the first rank, as a reader of their page finds them. */
function ranksOf(profile: EngineProfile, source: Source, { ranks }: EmptyOptions): readonly string[] {
  const perRank = profile.page !== undefined && labelSetOf(profile.page, source).rank !== undefined;
  return perRank && ranks !== undefined ? ranks : [ONLY_RANK];
}

/** Every combination of the closed label values; none at all where a label's values are open. */
export function ownLabelSets(
  { labels, labelValues }: CatalogFamily,
  source: Pick<Source, 'labels' | 'without' | 'constant'> = {},
): readonly Labels[] {
  let sets: readonly Labels[] = [{}];
  for (const name of labels) {
    if (source.without?.includes(name) === true || source.constant?.[name] !== undefined) continue;
    const mapped = source.labels?.[name]?.values;
    const values = mapped === undefined ? (labelValues?.[name] ?? []) : new Set(Object.values(mapped));
    sets = sets.flatMap((set) => [...values].map((value) => ({ ...set, [name]: value })));
  }
  return sets;
}
