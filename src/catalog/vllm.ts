import type { CatalogFamily } from './family.ts';
import { vllmCounters } from './vllm-counters.ts';
import { vllmGauges } from './vllm-gauges.ts';
import { vllmHistograms } from './vllm-histograms.ts';
import { vllmOptional } from './vllm-optional.ts';

/** The contract: every family that any engine's figures are shown under, by vLLM's current name. */
export const vllmFamilies: readonly CatalogFamily[] = [
  ...vllmGauges,
  ...vllmCounters,
  ...vllmHistograms,
  ...vllmOptional,
];
