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
  /** Whether requests whose client left count as finished, for the reason `abort`. */
  readonly countsAborts: boolean;
}

/** Facts: the captures of llama.cpp v0.4.0, and each engine's source as of its version. */
export const kindStats = {
  vllm: {
    promptAt: 'prefill',
    lookupsAt: 'scheduled',
    generationAt: 'token',
    latencyAt: 'token',
    gaugesAt: 'step',
    countsAborts: true,
  },
  sglang: {
    promptAt: 'finish',
    lookupsAt: 'prompt',
    generationAt: 'finish',
    latencyAt: 'token',
    gaugesAt: 'batch',
    countsAborts: true,
  },
  'llama-cpp': {
    promptAt: 'prefill',
    lookupsAt: 'prompt',
    generationAt: 'finish',
    latencyAt: 'finish',
    gaugesAt: 'step',
    countsAborts: true,
  },
  trtllm: {
    promptAt: 'finish',
    lookupsAt: 'prompt',
    generationAt: 'finish',
    latencyAt: 'finish',
    gaugesAt: 'completion',
    countsAborts: true,
  },
  strata: {
    promptAt: 'finish',
    lookupsAt: 'prompt',
    generationAt: 'finish',
    latencyAt: 'finish',
    gaugesAt: 'live',
    countsAborts: false,
  },
  /** No page: kept all the same, for nobody. */
  ollama: {
    promptAt: 'finish',
    lookupsAt: 'prompt',
    generationAt: 'finish',
    latencyAt: 'finish',
    gaugesAt: 'live',
    countsAborts: false,
  },
} as const satisfies Readonly<Record<string, KindStats>>;
