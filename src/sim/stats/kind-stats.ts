import type { FinishReason } from '../model/engine-event.ts';

/** When a kind's figures move. The work is the same for all; what their pages say of it is not. */
export interface KindStats {
  /** Prompt counters: when the prompt is done, or with the request. */
  readonly promptAt: 'prefill' | 'finish';
  /** Prefix lookups: when the scheduler looks, or with the prompt counters, as cached over all prompt tokens. */
  readonly lookupsAt: 'scheduled' | 'prompt';
  /** Generation counter: with each token, or with the request. */
  readonly generationAt: 'token' | 'finish';
  /** First token and gaps: as they happen, or with the request, which then has its mean gap as often as it has gaps. */
  readonly latencyAt: 'token' | 'finish';
  /**
   * Gauges. `step`: with each step. `batch`: with each prefill, every 40th decode step, and when the last request is
   * gone. `completion`: with the iteration after one that completed a request. `live`: whenever somebody asks.
   */
  readonly gaugesAt: 'step' | 'batch' | 'completion' | 'live';
  /** Which ends of a request count it as finished. */
  readonly counts: readonly FinishReason[];
  /** Whether prompt tokens that were found in the cache count as prompt tokens; where not, nothing counts them. */
  readonly countsCached: boolean;
  /** What its figure of the KV cache is: blocks that are held, or tokens that running requests may come to hold. */
  readonly kvUsage: 'held' | 'reserved';
}

const EVERY_END = ['stop', 'length', 'abort', 'error'] as const;
const GOOD_ENDS = ['stop', 'length'] as const;

const AS_VLLM = {
  promptAt: 'prefill',
  lookupsAt: 'scheduled',
  generationAt: 'token',
  latencyAt: 'token',
  gaugesAt: 'step',
  counts: EVERY_END,
  countsCached: true,
  kvUsage: 'held',
} as const;

const AT_THE_END = {
  promptAt: 'finish',
  lookupsAt: 'prompt',
  generationAt: 'finish',
  latencyAt: 'finish',
  gaugesAt: 'step',
  counts: GOOD_ENDS,
  countsCached: true,
  kvUsage: 'held',
} as const;

/** Facts: the captures of llama.cpp v0.4.0, and each engine's source as of its version. */
export const kindStats = {
  vllm: AS_VLLM,
  sglang: { ...AT_THE_END, latencyAt: 'token', gaugesAt: 'batch', counts: EVERY_END },
  'llama-cpp': { ...AT_THE_END, promptAt: 'prefill', counts: EVERY_END },
  'ik-llama-cpp': { ...AT_THE_END, promptAt: 'prefill', counts: EVERY_END, countsCached: false },
  trtllm: { ...AT_THE_END, gaugesAt: 'completion', counts: EVERY_END },
  strata: { ...AT_THE_END, gaugesAt: 'live' },
  /** No page: kept all the same, for nobody. */
  ollama: { ...AT_THE_END, gaugesAt: 'live' },
  /** Sums of histograms serve as token counters. */
  tgi: { ...AT_THE_END, kvUsage: 'reserved' },
  triton: AT_THE_END,
  lmdeploy: { ...AS_VLLM, lookupsAt: 'prompt', counts: GOOD_ENDS },
  mistralrs: { ...AS_VLLM, counts: ['stop', 'length', 'error'] },
  'dynamo-frontend': { ...AT_THE_END, latencyAt: 'token' },
  'llm-d-inference-sim': { ...AS_VLLM, counts: GOOD_ENDS },
} as const satisfies Readonly<Record<string, KindStats>>;
