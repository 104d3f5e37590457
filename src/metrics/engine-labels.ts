import type { Labels } from '../exposition/exposition.ts';
import { hash32 } from '../kit/hash.ts';

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
/** They tell processes apart, and each restart of one would begin new series of the same thing: Python's, Ray's. */
const PROCESS_LABELS: ReadonlySet<string> = new Set([
  'pid',
  'Component',
  'NodeAddress',
  'SessionName',
  'Version',
  'WorkerId',
]);
/** Ours alone: an engine's label of that name is kept as Prometheus would, under `exported_`. */
const OURS: ReadonlySet<string> = new Set(['engine_name', 'runtime_name', 'kind']);

/**
 * All labels of one series, the common ones first, the others by name: equal sets are equal texts. Where the page
 * names several models, or the rank, its word stands; it cannot take the place of the others.
 */
export function seriesLabels(of: EngineLabels, own: Labels): Labels {
  const labels: Record<string, string> = {
    model_name: cut(own['model_name'] ?? of.modelName),
    engine: cut(own['engine'] ?? ONLY_RANK),
    engine_name: cut(of.engineName),
    runtime_name: cut(of.runtimeName),
    kind: of.kind,
  };
  for (const name of Object.keys(own).sort()) {
    if (name === 'model_name' || name === 'engine' || isNoise(name)) continue;
    const value = own[name] ?? '';
    // An empty value is no label to Prometheus.
    if (value !== '') labels[OURS.has(name) ? `exported_${name}` : name] = cut(value);
  }
  return labels;
}

/**
 * Labels that no series of ours carries: those of processes, and what begins with two underscores, since Prometheus
 * drops it and two series that differ in nothing else would collide there.
 */
export function isNoise(name: string): boolean {
  return PROCESS_LABELS.has(name) || name.startsWith('__');
}

/** Two long values stay two: what is cut off stands as a hash. */
function cut(value: string): string {
  if (value.length <= MAX_LENGTH) return value;
  const hash = hash32(value).toString(16).padStart(8, '0');
  return `${value.slice(0, MAX_LENGTH - hash.length - 1)}…${hash}`;
}
