import type { Labels } from '../exposition/exposition.ts';
import { boundedLabel } from './series-set.ts';

/** What every series of an engine carries beside its rank. */
export interface EngineLabels {
  readonly modelName: string;
  readonly engineName: string;
  readonly runtimeName: string;
  readonly kind: string;
}

/** Engines' label values beyond this are cut: a LoRA list can be long, a page of one label must not be. */
const MAX_LENGTH = 512;
/** The rank of an engine without ranks, as vLLM has it: boards group by it. */
const ONLY_RANK = '0';

/**
 * All labels of one series, the common ones first. Where the page names several models, or the rank, its word
 * stands; it cannot take the place of the others.
 */
export function seriesLabels(of: EngineLabels, own: Labels): Labels {
  const labels: Record<string, string> = {
    model_name: boundedLabel(own['model_name'] ?? of.modelName, MAX_LENGTH),
    engine: boundedLabel(own['engine'] ?? ONLY_RANK, MAX_LENGTH),
    engine_name: boundedLabel(of.engineName, MAX_LENGTH),
    runtime_name: boundedLabel(of.runtimeName, MAX_LENGTH),
    kind: of.kind,
  };
  for (const [name, value] of Object.entries(own)) labels[name] ??= boundedLabel(value, MAX_LENGTH);
  return labels;
}
