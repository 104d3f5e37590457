import type { CatalogFamily } from './family.ts';
import { vllmCounters } from './vllm-counters.ts';
import { vllmFeatures } from './vllm-features.ts';
import { vllmGauges } from './vllm-gauges.ts';
import { vllmHistograms } from './vllm-histograms.ts';
import { vllmOffload } from './vllm-offload.ts';
import { vllmOptional } from './vllm-optional.ts';
import { vllmTransfer } from './vllm-transfer.ts';
import { vllmV0 } from './vllm-v0.ts';

/** The contract: every family that any engine's figures are shown under, by vLLM's current name. */
export const vllmFamilies: readonly CatalogFamily[] = [
  ...vllmGauges,
  ...vllmCounters,
  ...vllmHistograms,
  ...vllmOptional,
  ...vllmFeatures,
  ...vllmTransfer,
  ...vllmOffload,
  ...vllmV0,
];
