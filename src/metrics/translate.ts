import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import type { ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { readSamples } from '../engines/read.ts';
import type { Reading, Series } from '../engines/reading.ts';
import type { ExpositionFormat, Sample } from '../exposition/exposition.ts';
import { parseExposition } from '../exposition/parse.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { type EngineLabels, seriesLabels } from './engine-labels.ts';
import { histogramSamples } from './histogram-samples.ts';
import { readOwn } from './translate-own.ts';

/** A page as an engine sent it. */
export interface RawPage {
  readonly bytes: Uint8Array;
  readonly format: ExpositionFormat;
}

/** Who an engine is, as its series say it. */
export interface TranslatedEngine {
  readonly name: string;
  readonly runtime: string;
  readonly profile: EngineProfile;
  readonly models: readonly ServedModel[];
}

/**
 * An engine's own page in vLLM's names, with histograms in the engine's own bounds, and what its kind has beyond
 * them under the kind's names. Every series once. A family that the page lacks is not there: a 0 would read as a
 * fact. What neither catalogue nor profile knows is left out, the Python and HTTP server's families among it.
 *
 * @throws ExpositionError for a page that Prometheus would refuse
 */
export function translatePage(
  { bytes, format }: RawPage,
  engine: TranslatedEngine,
): readonly WrittenFamily[] {
  const { profile } = engine;
  const { samples } = parseExposition(bytes, format);
  const reading = readSamples(profile, samples);
  const labels: EngineLabels = {
    modelName: modelNameOf(reading, engine.models),
    engineName: engine.name,
    runtimeName: engine.runtime,
    kind: profile.kind,
  };
  const families: WrittenFamily[] = [];
  const add = (family: CatalogFamily, series: readonly Series[]): void => {
    const { name, type, help, unit } = family;
    const written = samplesOf(name, series, labels);
    if (written.length > 0) families.push({ name, type, help, unit, samples: written });
  };
  for (const [name, series] of reading.series) {
    const family = familyOf(name);
    if (family !== undefined) add(family, series);
  }
  for (const [family, series] of readOwn(profile, samples, reading.modelName)) {
    if (!reading.series.has(family.name)) add(family, series);
  }
  return families;
}

/** Labels that are cut or dropped can make one series of two, which Prometheus would warn of: the first stands. */
function samplesOf(name: string, series: readonly Series[], of: EngineLabels): readonly Sample[] {
  const samples: Sample[] = [];
  const seen = new Set<string>();
  for (const { labels, value } of series) {
    if (typeof value === 'number' && Number.isNaN(value)) continue;
    const full = seriesLabels(of, labels);
    const key = JSON.stringify(full);
    if (seen.has(key)) continue;
    seen.add(key);
    if (typeof value === 'number') samples.push({ name, labels: full, value });
    // Not as arguments: a histogram may have more buckets than a call can take.
    else for (const sample of histogramSamples(name, full, value)) samples.push(sample);
  }
  return samples;
}

/**
 * The page's word where the model list knows it too, or where it names several models. Otherwise the list's:
 * requests name the model so, while pages say a file path, another spelling or nothing.
 */
function modelNameOf({ modelName, series }: Reading, models: readonly ServedModel[]): string {
  const others = new Set<string>();
  for (const all of series.values()) {
    for (const { labels } of all) if (labels['model_name'] !== undefined) others.add(labels['model_name']);
  }
  if (others.size > 0) return modelName ?? models.find(({ id }) => !others.has(id))?.id ?? '';
  const listed = models.some(({ id, aliases }) => id === modelName || aliases.includes(modelName ?? ''));
  return (listed ? modelName : models[0]?.id) ?? modelName ?? '';
}
