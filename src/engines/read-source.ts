import type { CatalogFamily } from '../catalog/family.ts';
import type { Sample } from '../exposition/exposition.ts';
import { gatherHistograms } from './gather-histograms.ts';
import { histogramOf, scaleHistogram } from './histogram.ts';
import { mergeSeries } from './merge.ts';
import type { PageIndex } from './page-index.ts';
import type { Source } from './profile.ts';
import type { Histogram, Series } from './reading.ts';
import { selectSamples } from './select.ts';
import { contractLabels } from './source-labels.ts';

/** What a source gives of a family; empty when the page has none of its names. */
export function readSource(index: PageIndex, family: CatalogFamily, source: Source): readonly Series[] {
  for (const name of source.names) {
    const found =
      family.type === 'histogram' && source.part === undefined
        ? readHistograms(index, source, name)
        : readNumbers(index, source, source.part === undefined ? name : `${name}_${source.part}`);
    if (found.length === 0) continue;
    const series = found.map(({ labels, value }) => ({
      labels: contractLabels(index, family, source, labels),
      value,
    }));
    return mergeSeries(family.ranks, series);
  }
  return [];
}

function readNumbers(
  index: PageIndex,
  source: Source,
  name: string,
): readonly Pick<Sample, 'labels' | 'value'>[] {
  const samples = index.byName.get(name);
  if (samples === undefined) return [];
  const { scale } = source;
  const selected = selectSamples(source, samples);
  return scale === undefined
    ? selected
    : selected.map(({ labels, value }) => ({ labels, value: value * scale }));
}

function readHistograms(index: PageIndex, source: Source, name: string): readonly Series[] {
  const samplesOf = (suffix: string): readonly Sample[] => {
    const samples = index.byName.get(name + suffix);
    return samples === undefined ? [] : selectSamples(source, samples);
  };
  const found: Series[] = [];
  const gathered = gatherHistograms({
    buckets: samplesOf('_bucket'),
    sums: samplesOf('_sum'),
    counts: samplesOf('_count'),
  });
  for (const { labels, parts } of gathered) {
    const histogram = histogramOf(parts);
    if (histogram !== undefined) found.push({ labels, value: scaled(histogram, source.scale) });
  }
  return found;
}

function scaled(histogram: Histogram, scale: number | undefined): Histogram {
  return scale === undefined ? histogram : scaleHistogram(histogram, scale);
}
