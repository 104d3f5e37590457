import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import type { Labels } from '../exposition/exposition.ts';
import { seriesKey } from './label-key.ts';
import { mergeSeries } from './merge.ts';
import type { PageIndex } from './page-index.ts';
import type { Source, Supply } from './profile.ts';
import { readSource } from './read-source.ts';
import type { Series } from './reading.ts';

/** One family's series off a page, as its kind supplies them; empty when absent. */
function readSupply(index: PageIndex, family: CatalogFamily, supply: Supply): readonly Series[] {
  if ('names' in supply) return readSource(index, family, supply);
  if ('sum' in supply) return readSum(index, family, supply.sum);
  if ('each' in supply) {
    const all = supply.each.flatMap((source) => readSource(index, family, source));
    return mergeSeries(family.ranks, all);
  }
  if ('firstOf' in supply) return readFirst(index, family, supply.firstOf);
  if ('ratio' in supply) return readRatio(index, family, supply.ratio);
  if ('info' in supply) return readInfo(index, family, supply.info);
  if ('sameAs' in supply) {
    const needed = supply.onlyWith;
    const given = needed === undefined || readFamily(index, needed).length > 0;
    return given ? readFamily(index, supply.sameAs) : [];
  }
  return [];
}

/** A family by its name; empty also for a name that the catalogue or the profile does not have. */
export function readFamily(index: PageIndex, name: string): readonly Series[] {
  const family = familyOf(name);
  const supply = index.profile.families[name];
  if (family === undefined || supply === undefined) return [];
  const series = readSupply(index, family, supply);
  return family.ranks === 'newest' ? newestOfEachRank(series) : series;
}

function readSum(index: PageIndex, family: CatalogFamily, parts: readonly Source[]): readonly Series[] {
  const read = parts.map((part) => readSource(index, family, part));
  if (read[0] === undefined || read[0].length === 0) return [];
  return mergeSeries('sum', read.flat());
}

function readFirst(index: PageIndex, family: CatalogFamily, options: readonly Supply[]): readonly Series[] {
  for (const option of options) {
    const series = readSupply(index, family, option);
    if (series.length > 0) return series;
  }
  return [];
}

function readRatio(
  index: PageIndex,
  family: CatalogFamily,
  [part, whole]: readonly [Source, Source],
): readonly Series[] {
  const wholes = new Map(readSource(index, family, whole).map((one) => [seriesKey(one.labels), one.value]));
  return readSource(index, family, part).flatMap(({ labels, value }) => {
    const all = wholes.get(seriesKey(labels));
    if (typeof value !== 'number' || typeof all !== 'number' || all === 0) return [];
    return [{ labels, value: value / all }];
  });
}

/** Whatever its numbers mean, a part of an info family is one figure per rank and not an info itself. */
const INFO_PART = { labels: [], type: 'gauge', ranks: 'max' } as const;

function readInfo(
  index: PageIndex,
  family: CatalogFamily,
  info: Readonly<Record<string, Source>>,
): readonly Series[] {
  const byRank = new Map<string, { rank: Labels; values: Record<string, string> }>();
  for (const [label, source] of Object.entries(info)) {
    for (const { labels, value } of readSource(index, { ...family, ...INFO_PART }, source)) {
      if (typeof value !== 'number' || Number.isNaN(value)) continue;
      const key = seriesKey(labels);
      const found = byRank.get(key) ?? { rank: labels, values: {} };
      found.values[label] = String(value);
      byRank.set(key, found);
    }
  }
  return [...byRank.values()].map(({ rank, values }) => ({ labels: { ...rank, ...values }, value: 1 }));
}

/** vLLM adds a series for every combination of adapters and never takes one away; the value is when it was true. */
function newestOfEachRank(all: readonly Series[]): readonly Series[] {
  const newest = new Map<string, Series>();
  for (const series of all) {
    const rank = series.labels['engine'] ?? '';
    const before = newest.get(rank);
    if (before === undefined || Number(series.value) > Number(before.value)) newest.set(rank, series);
  }
  return [...newest.values()];
}
