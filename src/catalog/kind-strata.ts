import { kindFamiliesOf } from './kind-families.ts';

const GPU = { labels: ['gpu'], labelValues: { gpu: ['0'] } };
/** Left out of the page while the value is not known. */
const WHEN_KNOWN = 'while the value is known';

/** Strata beyond vLLM's names. */
export const strataFamilies = kindFamiliesOf('strata:', [
  [
    'live_state',
    'gauge',
    'state',
    'max',
    'One for what the engine does now; unloaded means the next request waits for the model.',
    { labels: ['state'], labelValues: { state: ['unloaded', 'idle', 'reading', 'generating'] } },
  ],
  ['live_tok_s', 'gauge', 'tokens per second', 'sum', 'Generation speed of the running request.'],
  [
    'live_prefill_tok_s_mean',
    'gauge',
    'tokens per second',
    'mean',
    'Mean speed of reading the running prompt.',
  ],
  ['engine_max_context', 'gauge', 'tokens', 'max', 'Longest context of a request, fixed at start.'],
  ['last_hit_rate', 'gauge', 'ratio', 'mean', 'Share of the last prompt that was reused.'],
  ['last_decode_tok_s', 'gauge', 'tokens per second', 'mean', 'Generation speed of the last request.'],
  [
    'totals_prompt_seconds_total',
    'counter',
    'seconds',
    'sum',
    'Time spent reading prompts; prompt tokens over it is the prefill speed.',
  ],
  [
    'totals_decode_seconds_total',
    'counter',
    'seconds',
    'sum',
    'Time spent generating; generated tokens over it is the decode speed.',
  ],
  [
    'gpu_util',
    'gauge',
    'percent',
    'max',
    'Load of the GPU; low while requests run means the work is elsewhere.',
    GPU,
  ],
  ['gpu_mem_used_bytes', 'gauge', 'bytes', 'sum', 'Memory of the GPU in use.', GPU],
  ['cpu', 'gauge', 'percent', 'max', 'Load of the processor; near 100 it holds the engine back.'],
  [
    'live_prompt_read',
    'gauge',
    'tokens',
    'sum',
    'Tokens of the running prompt read so far.',
    { when: WHEN_KNOWN },
  ],
  [
    'live_slots',
    'gauge',
    'requests',
    'sum',
    'Batch slots by state.',
    { labels: ['state'], when: WHEN_KNOWN },
  ],
  [
    'totals_ended_inside_thinking_total',
    'counter',
    'requests',
    'sum',
    'Requests that ended before their thinking did; their limit is too low.',
    { when: WHEN_KNOWN },
  ],
  [
    'gpu_mem_total_bytes',
    'gauge',
    'bytes',
    'sum',
    'Memory of the GPU in all.',
    { labels: ['gpu'], when: WHEN_KNOWN },
  ],
  [
    'gpu_temp_celsius',
    'gauge',
    'celsius',
    'max',
    'Temperature of the GPU; near its limit it slows down.',
    { labels: ['gpu'], when: WHEN_KNOWN },
  ],
  ['gpu_power_watts', 'gauge', 'watts', 'sum', 'Power the GPU draws.', { labels: ['gpu'], when: WHEN_KNOWN }],
  ['ram_used_bytes', 'gauge', 'bytes', 'sum', 'Memory of the machine in use.', { when: WHEN_KNOWN }],
  ['ram_total_bytes', 'gauge', 'bytes', 'sum', 'Memory of the machine in all.', { when: WHEN_KNOWN }],
  [
    'model_loaded',
    'gauge',
    'state',
    'max',
    'One while the model is in memory; at 0 the next request waits for it.',
    { when: 'in the form of /metrics/prometheus' },
  ],
]);
