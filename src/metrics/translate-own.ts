import type { CatalogFamily } from '../catalog/family.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Labels, Sample } from '../exposition/exposition.ts';
import { formatBound } from '../exposition/format-number.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { type EngineLabels, seriesLabels } from './engine-labels.ts';

const HISTOGRAM_SUFFIXES = ['_bucket', '_sum', '_count'];

/** What a kind serves beyond vLLM's names: its samples as they are, under the labels of all other series. */
export function ownFamiliesOf(
  profile: EngineProfile,
  samples: readonly Sample[],
  of: EngineLabels,
): readonly WrittenFamily[] {
  const byFamily = new Map<string, Sample[]>();
  const familyOfSample = new Map<string, CatalogFamily>();
  for (const family of profile.own) {
    const suffixes = family.type === 'histogram' ? HISTOGRAM_SUFFIXES : [''];
    for (const suffix of suffixes) familyOfSample.set(family.name + suffix, family);
  }
  for (const sample of samples) {
    const family = familyOfSample.get(sample.name);
    if (family === undefined || Number.isNaN(sample.value)) continue;
    const labels = seriesLabels(of, pageLabels(profile, sample.labels));
    const found = byFamily.get(family.name) ?? [];
    found.push({ name: sample.name, labels, value: sample.value });
    byFamily.set(family.name, found);
  }
  return profile.own.map(({ name, type, help }) => ({ name, type, help, samples: byFamily.get(name) ?? [] }));
}

/** Rank and model under our labels' names; bounds in our spelling. */
function pageLabels({ rankLabel, modelLabels }: EngineProfile, labels: Labels): Labels {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(labels)) {
    if (name === rankLabel) own['engine'] = value;
    else if (name === 'le') own['le'] = boundOf(value);
    else if (!modelLabels.includes(name)) own[name] = value;
  }
  return own;
}

function boundOf(text: string): string {
  const bound = text === '+Inf' ? Number.POSITIVE_INFINITY : Number(text);
  return Number.isNaN(bound) ? text : formatBound(bound);
}
