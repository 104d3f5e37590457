import { familyOf } from '../catalog/index.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';

/**
 * Every sample name a reader must keep to give these families of a profile, its progress source among them. Older
 * names too: which one a page has is not known before.
 */
export function sampleNames(profile: EngineProfile, families: Iterable<string>): readonly string[] {
  const names = new Set<string>();
  for (const family of families) addFamily(profile, family, names);
  if (profile.progress !== undefined) addSource(profile.progress, false, names);
  return [...names];
}

function addFamily(profile: EngineProfile, family: string, names: Set<string>): void {
  const supply = profile.families[family];
  if (supply === undefined) return;
  const isHistogram = familyOf(family)?.type === 'histogram';
  for (const source of sourcesOf(supply)) addSource(source, isHistogram, names);
  for (const other of familiesBehind(supply)) addFamily(profile, other, names);
}

function addSource(source: Source, isHistogram: boolean, names: Set<string>): void {
  for (const name of source.names) {
    if (source.part !== undefined) names.add(`${name}_${source.part}`);
    else if (isHistogram) for (const suffix of ['_bucket', '_sum', '_count']) names.add(name + suffix);
    else names.add(name);
  }
}

/** All sources of a supply, in the order they are tried. */
export function sourcesOf(supply: Supply): readonly Source[] {
  if ('names' in supply) return [supply];
  if ('sum' in supply) return supply.sum;
  if ('each' in supply) return supply.each;
  if ('firstOf' in supply) return supply.firstOf.flatMap(sourcesOf);
  if ('ratio' in supply) return supply.ratio;
  if ('info' in supply) return Object.values(supply.info);
  return [];
}

/** Families that a supply takes its figure from. */
export function familiesBehind(supply: Supply): readonly string[] {
  if ('firstOf' in supply) return supply.firstOf.flatMap(familiesBehind);
  if (!('sameAs' in supply)) return [];
  return supply.onlyWith === undefined ? [supply.sameAs] : [supply.sameAs, supply.onlyWith];
}
