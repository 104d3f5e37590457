import { profileOf, profiles } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { ApiContext, KindApi } from './apis/api.ts';
import { genericApi } from './apis/generic.ts';
import { llamaCppApi, llamaCppRouterApi } from './apis/llama-cpp.ts';
import { ollamaApi } from './apis/ollama.ts';
import { sglangApi } from './apis/sglang.ts';
import { strataApi } from './apis/strata.ts';
import { trtllmApi } from './apis/trtllm.ts';
import { vllmApi } from './apis/vllm.ts';
import type { LoadingManner } from './loading.ts';
import { loadingManner } from './loading.ts';
import type { Admission } from './model/engine.ts';
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
  /** `slots`: the cache is split among so many requests, each with its share of the context. */
  readonly admission: Admission | 'slots';
  /** Whether its model list has adapters as further models. */
  readonly listsAdapters: boolean;
  /** Families its version always has though its profile calls them optional. */
  readonly shows: readonly string[];
  readonly loading: LoadingManner;
}

const SERVER: Omit<SimKind, 'kind' | 'api'> = {
  stats: kindStats.vllm,
  profile: 'llama-3-8b-h100',
  maxSeqs: undefined,
  blockTokens: 16,
  keepAliveMs: 5_000,
  admission: 'as-fits',
  listsAdapters: true,
  shows: [],
  loading: loadingManner.refuses,
};
const HOME: typeof SERVER = { ...SERVER, profile: 'home-8b-q4', admission: 'slots', listsAdapters: false };

const LLAMA_CPP: typeof SERVER = {
  ...HOME,
  stats: kindStats['llama-cpp'],
  maxSeqs: 4,
  loading: loadingManner.answers503,
};

/** Kinds whose API is their own, also those that only exist once their profile does. */
const ownApis: readonly SimKind[] = [
  { ...SERVER, kind: 'vllm', api: vllmApi },
  {
    ...SERVER,
    kind: 'sglang',
    api: sglangApi,
    stats: kindStats.sglang,
    shows: ['vllm:num_preemptions_total'],
    loading: loadingManner.warmsUp,
  },
  { ...LLAMA_CPP, kind: 'llama-cpp', api: llamaCppApi },
  { ...LLAMA_CPP, kind: 'llama-cpp-router', api: llamaCppRouterApi },
  { ...LLAMA_CPP, kind: 'ik-llama-cpp', api: llamaCppApi, stats: kindStats['ik-llama-cpp'] },
  {
    ...SERVER,
    kind: 'trtllm',
    api: trtllmApi,
    stats: kindStats.trtllm,
    blockTokens: 32,
    admission: 'reserve-all',
  },
  { ...HOME, kind: 'strata', api: strataApi, stats: kindStats.strata, maxSeqs: 1 },
  {
    ...HOME,
    kind: 'ollama',
    api: ollamaApi,
    stats: kindStats.ollama,
    maxSeqs: 1,
    keepAliveMs: 120_000,
    loading: loadingManner.waits,
  },
];

/** Those of vLLM's families that llm-d-inference-sim eec055a serves; its profile asks for the fewest. */
const SHOWN_BY_LLM_D = [
  'prompt_tokens_total',
  'generation_tokens_total',
  'prefix_cache_queries_total',
  'prefix_cache_hits_total',
  'time_to_first_token_seconds',
  'inter_token_latency_seconds',
  'e2e_request_latency_seconds',
  'request_queue_time_seconds',
  'request_inference_time_seconds',
  'request_prefill_time_seconds',
  'request_decode_time_seconds',
  'request_prompt_tokens',
  'request_generation_tokens',
  'request_max_num_generation_tokens',
  'request_params_max_tokens',
].map((name) => `vllm:${name}`);

/** What of other kinds is unlike vLLM; a kind that is not named here is a server like it. */
const others: Readonly<Record<string, Partial<SimKind>>> = {
  tgi: { stats: kindStats.tgi, admission: 'reserve-all', listsAdapters: false },
  triton: { stats: kindStats.triton, blockTokens: 64, admission: 'reserve-all', listsAdapters: false },
  lmdeploy: { stats: kindStats.lmdeploy, blockTokens: 64, listsAdapters: false },
  mistralrs: {
    stats: kindStats.mistralrs,
    listsAdapters: false,
    // It serves them from the first streamed answer on.
    shows: ['vllm:time_to_first_token_seconds', 'vllm:inter_token_latency_seconds'],
  },
  'dynamo-frontend': { stats: kindStats['dynamo-frontend'] },
  'llm-d-inference-sim': { stats: kindStats['llm-d-inference-sim'], shows: SHOWN_BY_LLM_D },
};

export const allSimKinds: readonly SimKind[] = [
  ...ownApis.filter(({ kind }) => profileOf(kind) !== undefined),
  ...profiles.filter(({ kind, page }) => page !== undefined && !hasOwnApi(kind)).map(genericKind),
];

function hasOwnApi(kind: string): boolean {
  return ownApis.some((one) => one.kind === kind);
}

function genericKind(profile: EngineProfile): SimKind {
  const { kind, health } = profile;
  return {
    ...SERVER,
    loading: health.loadingIs503 ? loadingManner.warmsUp : loadingManner.refuses,
    ...others[kind],
    kind,
    api: (context) => genericApi(context, profile),
  };
}

/** Kinds that can be simulated, with the port each listens on when left alone. */
export const simKinds: ReadonlyMap<string, number> = new Map(
  allSimKinds.map(({ kind }) => [kind, profileOf(kind)?.defaultPort ?? 0]),
);
