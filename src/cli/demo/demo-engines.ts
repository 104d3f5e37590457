import type { LoadSettings } from '../../sim/load.ts';
import type { SimSettings } from '../parts.ts';

/** The model of the big engines, and that of the small ones: each has several engines to choose from. */
export const BIG_MODEL = 'llama-3-8b';
const SMALL_MODEL = 'home-8b';

const common = { ranks: 1, maxNumSeqs: undefined, speed: 1, host: '127.0.0.1', port: 0 };

/** A fleet of every kind that has metrics, on free ports. */
export const demoEngines: readonly SimSettings[] = [
  { ...common, kind: 'vllm', model: BIG_MODEL, profile: 'llama-3-8b-h100', ranks: 2, seed: 1 },
  { ...common, kind: 'sglang', model: BIG_MODEL, profile: 'llama-3-8b-a100', seed: 2 },
  { ...common, kind: 'trtllm', model: BIG_MODEL, profile: 'llama-3-8b-h100', seed: 3 },
  { ...common, kind: 'llama-cpp', model: SMALL_MODEL, profile: 'home-8b-q4', seed: 4 },
  { ...common, kind: 'strata', model: SMALL_MODEL, profile: 'home-8b-q4', seed: 5 },
];

/** Some engine is nearly always busy, and none is ever full: the small ones need seconds for what takes a big one one. */
export const demoLoads: readonly Omit<LoadSettings, 'baseUrl'>[] = [
  { models: [BIG_MODEL], requestsPerSecond: 2.5, maxTokens: { from: 100, to: 500 } },
  { models: [SMALL_MODEL], requestsPerSecond: 0.25, maxTokens: { from: 20, to: 60 } },
];
