/** What one model on one set of cards costs: the numbers the step time and the KV cache are made of. */
export interface ModelProfile {
  /** The name a person types: lower case, dashes. */
  readonly slug: string;
  readonly title: string;
  /** True when the kernel numbers come from measurements; false when they are our own guess. */
  readonly measured: boolean;
  /** Where the numbers come from: engine version, card, method. */
  readonly source: string;
  /** Reading every weight once, per step. */
  readonly weightMs: number;
  /** Arithmetic per token in the step. */
  readonly computeUsPerToken: number;
  /** Reading the K/V of one context token of a decoding sequence. */
  readonly kvReadNsPerToken: number;
  /** Attention of a prefill, per pair of a new token and a token it looks back at. */
  readonly prefillPairMs: number;
  /** Scheduling, launch and sampling, per step. */
  readonly hostMs: number;
  readonly hostUsPerSequence: number;
  /** How many tokens' K/V fit beside the weights. */
  readonly kvTokens: number;
  /** K/V of one token over all cards. */
  readonly bytesPerToken: number;
  /** Tokens one step may compute (vLLM: `max_num_batched_tokens`). */
  readonly maxBatchedTokens: number;
  /** Sequences that may run at once (vLLM: `max_num_seqs`; llama.cpp: slots). */
  readonly maxSeqs: number;
  /** Longest prompt and answer together. */
  readonly contextTokens: number;
  /** Outside the step, per request: HTTP, template, tokeniser. */
  readonly requestMs: number;
  /** Outside the step, per prompt token. */
  readonly requestUsPerPromptToken: number;
}

/** vLLM's server defaults: A100 and every card below 70 GiB, then the larger ones. */
const A100_LIMITS = { maxBatchedTokens: 2_048, maxSeqs: 256 };
const H100_LIMITS = { maxBatchedTokens: 8_192, maxSeqs: 1_024 };

const A100_KERNELS = 'AIConfigurator kernel tables, A100-SXM, vLLM 0.14, bf16';
const H100_KERNELS = 'AIConfigurator kernel tables, H100-SXM, vLLM 0.24, bf16';
const HOST_FITTED = 'host time: remainder to published end-to-end steps';
const HOST_SCALED = 'host time: scaled by layers';

/** Request overhead is 0 unless a user measures their own: it depends on the stack in front, not on the card. */
const NO_REQUEST_OVERHEAD = { requestMs: 0, requestUsPerPromptToken: 0 };

/** Llama 3.1 and later; Llama 3.0 has the same shape and cost but a window of 8,192. */
const LLAMA_3_CONTEXT_TOKENS = 131_072;

const LLAMA_3_8B = { bytesPerToken: 131_072, contextTokens: LLAMA_3_CONTEXT_TOKENS, ...NO_REQUEST_OVERHEAD };
const LLAMA_3_70B = { bytesPerToken: 327_680, contextTokens: LLAMA_3_CONTEXT_TOKENS, ...NO_REQUEST_OVERHEAD };

/** Every profile that ships. One profile is one engine version on one card. */
export const modelProfiles: readonly ModelProfile[] = [
  {
    slug: 'llama-3-8b-h100',
    title: 'Llama 3 8B on one H100',
    measured: true,
    source: `${H100_KERNELS}; ${HOST_FITTED}`,
    weightMs: 5.7,
    computeUsPerToken: 21.5,
    kvReadNsPerToken: 44,
    prefillPairMs: 1.0e-6,
    hostMs: 0.6,
    hostUsPerSequence: 5,
    kvTokens: 444_000,
    ...LLAMA_3_8B,
    ...H100_LIMITS,
  },
  {
    slug: 'llama-3-8b-a100',
    title: 'Llama 3 8B on one A100 80 GB',
    measured: true,
    source: `${A100_KERNELS}; ${HOST_SCALED}`,
    weightMs: 10.8,
    computeUsPerToken: 70,
    kvReadNsPerToken: 81,
    prefillPairMs: 3.2e-6,
    hostMs: 1.2,
    hostUsPerSequence: 8,
    kvTokens: 444_000,
    ...LLAMA_3_8B,
    ...A100_LIMITS,
  },
  {
    slug: 'llama-3-70b-h100-tp4',
    title: 'Llama 3 70B on four H100',
    measured: true,
    source: `${H100_KERNELS}; ${HOST_FITTED}`,
    weightMs: 14.1,
    computeUsPerToken: 70,
    kvReadNsPerToken: 28,
    prefillPairMs: 1.2e-6,
    hostMs: 1.8,
    hostUsPerSequence: 10,
    kvTokens: 475_000,
    ...LLAMA_3_70B,
    ...H100_LIMITS,
  },
  {
    slug: 'llama-3-70b-h100-tp8',
    title: 'Llama 3 70B on eight H100',
    measured: true,
    source: `${H100_KERNELS}; ${HOST_SCALED}`,
    weightMs: 8.8,
    computeUsPerToken: 44,
    kvReadNsPerToken: 14,
    prefillPairMs: 0.6e-6,
    hostMs: 2.0,
    hostUsPerSequence: 10,
    kvTokens: 1_400_000,
    ...LLAMA_3_70B,
    ...H100_LIMITS,
  },
  {
    slug: 'llama-3-70b-a100-tp4',
    title: 'Llama 3 70B on four A100 80 GB',
    measured: true,
    source: `${A100_KERNELS}; ${HOST_SCALED}`,
    weightMs: 27.1,
    computeUsPerToken: 193,
    kvReadNsPerToken: 58,
    prefillPairMs: 4.0e-6,
    hostMs: 2.7,
    hostUsPerSequence: 10,
    kvTokens: 475_000,
    ...LLAMA_3_70B,
    ...A100_LIMITS,
  },
  {
    slug: 'qwen3-32b-h100-tp2',
    title: 'Qwen3 32B on two H100',
    measured: true,
    source: `${H100_KERNELS}; ${HOST_SCALED}; KV capacity as llm-d published it`,
    weightMs: 12.9,
    computeUsPerToken: 55,
    kvReadNsPerToken: 44,
    prefillPairMs: 1.7e-6,
    hostMs: 2.0,
    hostUsPerSequence: 10,
    kvTokens: 307_328,
    bytesPerToken: 262_144,
    contextTokens: 40_960,
    ...NO_REQUEST_OVERHEAD,
    ...H100_LIMITS,
  },
  {
    slug: 'home-8b-q4',
    title: '8B model at 4 bits on a small box at home',
    measured: false,
    source:
      'Ours, not measured: about 32 tokens/s decode and 500 tokens/s prefill, as a small llama.cpp box has; four slots of 8,192 tokens',
    weightMs: 30,
    computeUsPerToken: 2_000,
    kvReadNsPerToken: 870,
    prefillPairMs: 60e-6,
    hostMs: 1,
    hostUsPerSequence: 50,
    kvTokens: 4 * 8_192,
    bytesPerToken: 131_072,
    maxBatchedTokens: 2_048,
    maxSeqs: 4,
    contextTokens: 8_192,
    ...NO_REQUEST_OVERHEAD,
  },
];

export function findModelProfile(slug: string): ModelProfile | undefined {
  return modelProfiles.find((profile) => profile.slug === slug);
}
