import type { CatalogFamily } from '../catalog/family.ts';
import { gatherHistograms } from '../engines/gather-histograms.ts';
import { histogramOf } from '../engines/histogram.ts';
import { mergeSeries } from '../engines/merge.ts';
import { isWhose, modelOf, rankOf } from '../engines/page-index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Series } from '../engines/reading.ts';
import type { Labels, Sample } from '../exposition/exposition.ts';
import { isNoise } from './engine-labels.ts';

const HISTOGRAM_SUFFIXES = ['_bucket', '_sum', '_count'] as const;

/**
 * What a kind serves beyond vLLM's names, as it stands on the page: rank, a second model's name, and the page's own
 * labels. Series that only a process's labels told apart are combined as the catalogue says.
 *
 * @param modelName the model that the page is of; series of others name theirs
 */
export function readOwn(
  profile: EngineProfile,
  samples: readonly Sample[],
  modelName: string | undefined,
): ReadonlyMap<CatalogFamily, readonly Series[]> {
  const byName = samplesOf(profile.own, samples);
  const found = new Map<CatalogFamily, readonly Series[]>();
  for (const family of profile.own) {
    const series = rawSeries(family, byName).map(({ labels, value }) => ({
      labels: ownLabels(profile, labels, modelName),
      value,
    }));
    if (series.length > 0) found.set(family, mergeSeries(family.ranks, series));
  }
  return found;
}

function samplesOf(
  families: readonly CatalogFamily[],
  samples: readonly Sample[],
): ReadonlyMap<string, readonly Sample[]> {
  const byName = new Map<string, Sample[]>();
  for (const { name, type } of families) {
    if (type !== 'histogram') byName.set(name, []);
    else for (const suffix of HISTOGRAM_SUFFIXES) byName.set(name + suffix, []);
  }
  if (byName.size === 0) return byName;
  for (const sample of samples) byName.get(sample.name)?.push(sample);
  return byName;
}

function rawSeries(
  { name, type }: CatalogFamily,
  byName: ReadonlyMap<string, readonly Sample[]>,
): readonly Series[] {
  const named = (suffix: string): readonly Sample[] => byName.get(name + suffix) ?? [];
  if (type !== 'histogram') return named('');
  const gathered = gatherHistograms({
    buckets: named('_bucket'),
    sums: named('_sum'),
    counts: named('_count'),
  });
  return [...gathered].flatMap(({ labels, parts }) => {
    const value = histogramOf(parts);
    return value === undefined ? [] : [{ labels, value }];
  });
}

/** Rank and model under our labels' names. */
function ownLabels(profile: EngineProfile, labels: Labels, modelName: string | undefined): Labels {
  const own: Record<string, string> = { engine: rankOf(profile, labels) };
  for (const [name, value] of Object.entries(labels)) {
    if (!isWhose(profile, name) && !isNoise(name)) own[name] = value;
  }
  const model = modelOf(profile, labels);
  if (model !== undefined && model !== modelName) own['model_name'] = model;
  return own;
}
