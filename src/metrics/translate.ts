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
import { ownFamiliesOf } from './translate-own.ts';

/** Who an engine is, as its series say it. */
export interface TranslatedEngine {
  readonly name: string;
  readonly runtime: string;
  readonly profile: EngineProfile;
  readonly models: readonly ServedModel[];
}

/**
 * An engine's own page in vLLM's names, with histograms in the engine's own bounds, and what its kind has beyond
 * them under the kind's names. A family that the page lacks is not there: a 0 would read as a fact.
 *
 * @throws ExpositionError for a page that Prometheus would refuse
 */
export function translatePage(
  { bytes, format }: { readonly bytes: Uint8Array; readonly format: ExpositionFormat },
  engine: TranslatedEngine,
): readonly WrittenFamily[] {
  const { samples } = parseExposition(bytes, format);
  const reading = readSamples(engine.profile, samples);
  const labels: EngineLabels = {
    modelName: modelNameOf(reading, engine.models),
    engineName: engine.name,
    runtimeName: engine.runtime,
    kind: engine.profile.kind,
  };
  const translated = [...reading.series].flatMap(([name, series]) => {
    const family = familyOf(name);
    return family === undefined ? [] : [written(family, series, labels)];
  });
  return [...translated, ...ownFamiliesOf(engine.profile, samples, labels)].filter(
    (family) => family.samples.length > 0,
  );
}

function written(family: CatalogFamily, series: readonly Series[], of: EngineLabels): WrittenFamily {
  const { name, type, help } = family;
  return { name, type, help, samples: series.flatMap((one) => seriesSamples(name, one, of)) };
}

function seriesSamples(name: string, { labels, value }: Series, of: EngineLabels): readonly Sample[] {
  const full = seriesLabels(of, labels);
  if (typeof value !== 'number') return histogramSamples(name, full, value);
  return Number.isNaN(value) ? [] : [{ name, labels: full, value }];
}

/**
 * The page's word where the model list knows it too. Otherwise the list's: requests name the model so, while pages
 * say a file path, another spelling or nothing.
 */
function modelNameOf(reading: Reading, models: readonly ServedModel[]): string {
  const { modelName } = reading;
  const listed = models.some(({ id, aliases }) => id === modelName || aliases.includes(modelName ?? ''));
  return (listed ? modelName : models[0]?.id) ?? modelName ?? '';
}
