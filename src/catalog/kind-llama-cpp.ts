import { kindFamiliesOf } from './kind-families.ts';

/** llama-server beyond vLLM's names. Rates are means since the previous scrape: two scrapers disturb each other. */
export const llamaCppFamilies = kindFamiliesOf('llamacpp:', [
  [
    'prompt_seconds_total',
    'counter',
    'seconds',
    'sum',
    'Time spent on prompts; computed prompt tokens over it is the prefill speed.',
  ],
  [
    'tokens_predicted_seconds_total',
    'counter',
    'seconds',
    'sum',
    'Time spent generating, counted when a request ends; generated tokens over it is the decode speed.',
  ],
  [
    'n_decode_total',
    'counter',
    'events',
    'sum',
    'Decode calls; the only figure that moves while requests run.',
  ],
  [
    'n_tokens_max',
    'gauge',
    'tokens',
    'max',
    'Longest sequence since the start (a high-water mark, though typed counter); near the context, requests are cut.',
  ],
  [
    'prompt_tokens_seconds',
    'gauge',
    'tokens per second',
    'mean',
    'Prompt speed since the previous scrape; 0 when idle.',
  ],
  [
    'predicted_tokens_seconds',
    'gauge',
    'tokens per second',
    'mean',
    'Generation speed since the previous scrape; 0 when idle.',
  ],
  [
    'n_busy_slots_per_decode',
    'gauge',
    'requests',
    'mean',
    'Busy slots per decode call, mean since the start; near the number of slots the batch is well used.',
  ],
  [
    'kv_cache_tokens',
    'gauge',
    'tokens',
    'sum',
    'Tokens in the KV cache.',
    { when: 'in builds before May 2025', until: 'May 2025' },
  ],
]);
