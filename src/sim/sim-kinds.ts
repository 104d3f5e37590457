import { profileOf } from '../engines/index.ts';
import type { ApiContext, KindApi } from './apis/api.ts';
import { llamaCppApi } from './apis/llama-cpp.ts';
import { ollamaApi } from './apis/ollama.ts';
import { sglangApi } from './apis/sglang.ts';
import { strataApi } from './apis/strata.ts';
import { trtllmApi } from './apis/trtllm.ts';
import { vllmApi } from './apis/vllm.ts';
import { type KindStats, kindStats } from './stats/kind-stats.ts';

/** One kind of engine that can be simulated. */
export interface SimKind {
  readonly kind: string;
  readonly api: (context: ApiContext) => KindApi;
  readonly stats: KindStats;
  /** Slug of the model profile it starts with. */
  readonly profile: string;
  /** Requests at once when nobody says; absent: the profile's. */
  readonly maxSeqs: number | undefined;
  readonly blockTokens: number;
  /** How long it keeps an idle connection. */
  readonly keepAliveMs: number;
}

const SERVER = { profile: 'llama-3-8b-h100', maxSeqs: undefined, blockTokens: 16, keepAliveMs: 5_000 };
const HOME = { ...SERVER, profile: 'home-8b-q4' };

export const allSimKinds: readonly SimKind[] = [
  { ...SERVER, kind: 'vllm', api: vllmApi, stats: kindStats.vllm },
  { ...SERVER, kind: 'sglang', api: sglangApi, stats: kindStats.sglang },
  { ...HOME, kind: 'llama-cpp', api: llamaCppApi, stats: kindStats['llama-cpp'], maxSeqs: 4 },
  { ...SERVER, kind: 'trtllm', api: trtllmApi, stats: kindStats.trtllm, blockTokens: 32 },
  { ...HOME, kind: 'strata', api: strataApi, stats: kindStats.strata, maxSeqs: 1 },
  { ...HOME, kind: 'ollama', api: ollamaApi, stats: kindStats.ollama, maxSeqs: 1, keepAliveMs: 120_000 },
];

/** Kinds that can be simulated, with the port each listens on when left alone. */
export const simKinds: ReadonlyMap<string, number> = new Map(
  allSimKinds.map(({ kind }) => [kind, profileOf(kind)?.defaultPort ?? 0]),
);
