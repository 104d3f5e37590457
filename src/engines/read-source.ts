import type { CatalogFamily } from '../catalog/family.ts';
import type { Sample } from '../exposition/exposition.ts';
import { type HistogramParts, histogramOf, scaleHistogram } from './histogram.ts';
import { labelKey, withoutLabels } from './label-key.ts';
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

function readNumbers(index: PageIndex, source: Source, name: string): readonly Series[] {
  const scale = source.scale ?? 1;
  return selectSamples(source, index.byName.get(name) ?? []).map(({ labels, value }) => ({
    labels,
    value: value * scale,
  }));
}

function readHistograms(index: PageIndex, source: Source, name: string): readonly Series[] {
  const found: Series[] = [];
  for (const { labels, parts } of gather(index, source, name)) {
    const histogram = histogramOf(parts);
    if (histogram !== undefined) found.push({ labels, value: scaled(histogram, source.scale) });
  }
  return found;
}

function scaled(histogram: Histogram, scale: number | undefined): Histogram {
  return scale === undefined ? histogram : scaleHistogram(histogram, scale);
}

const LE: ReadonlySet<string> = new Set(['le']);

function gather(
  index: PageIndex,
  source: Source,
  name: string,
): Iterable<{ labels: Sample['labels']; parts: HistogramParts }> {
  const groups = new Map<string, { labels: Sample['labels']; parts: HistogramParts }>();
  const groupOf = (sample: Sample): HistogramParts => {
    const labels = withoutLabels(sample.labels, LE);
    const key = labelKey(labels);
    const group = groups.get(key) ?? { labels, parts: { buckets: [], sum: undefined, count: undefined } };
    groups.set(key, group);
    return group.parts;
  };
  const samplesOf = (suffix: string): readonly Sample[] =>
    selectSamples(source, index.byName.get(name + suffix) ?? []);
  for (const sample of samplesOf('_bucket')) {
    groupOf(sample).buckets.push({ le: boundOf(sample.labels['le']), count: sample.value });
  }
  for (const sample of samplesOf('_sum')) groupOf(sample).sum = sample.value;
  for (const sample of samplesOf('_count')) groupOf(sample).count = sample.value;
  return groups.values();
}

function boundOf(le: string | undefined): number {
  if (le === undefined) return Number.NaN;
  return /^\+?inf$/i.test(le) ? Number.POSITIVE_INFINITY : Number(le);
}
