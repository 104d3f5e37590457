import { tgiDurationBounds } from './bounds.ts';
import { kindFamiliesOf } from './kind-families.ts';

const METHOD = { labels: ['method'], labelValues: { method: ['prefill', 'decode'] } };
const TIMED = { ...METHOD, bounds: tgiDurationBounds };
const LATER = { when: 'after its first event' };

/** TGI beyond vLLM's names. Its counters have no `_total`. */
export const tgiFamilies = kindFamiliesOf('tgi_', [
  ['request_count', 'counter', 'requests', 'sum', 'Requests received.'],
  [
    'request_failure',
    'counter',
    'requests',
    'sum',
    'Requests that failed; overloaded means more load than the queue takes.',
    { ...LATER, labels: ['err'] },
  ],
  [
    'batch_current_max_tokens',
    'gauge',
    'tokens',
    'sum',
    'Tokens the running batch may grow to: what its requests have reserved.',
  ],
  ['batch_total_tokens', 'gauge', 'tokens', 'sum', 'Tokens of the running batch.', LATER],
  [
    'request_validation_duration',
    'histogram',
    'seconds',
    'sum',
    'Time to check and tokenize a request.',
    { bounds: tgiDurationBounds },
  ],
  [
    'batch_inference_duration',
    'histogram',
    'seconds',
    'sum',
    'Time of a batch, not of a request; its prefill is a part of the first token.',
    TIMED,
  ],
  [
    'batch_forward_duration',
    'histogram',
    'seconds',
    'sum',
    'Time of the forward passes of a batch.',
    { ...LATER, ...TIMED },
  ],
  [
    'batch_decode_duration',
    'histogram',
    'seconds',
    'sum',
    'Time to choose the tokens of a batch.',
    { ...LATER, ...TIMED },
  ],
  [
    'batch_filter_duration',
    'histogram',
    'seconds',
    'sum',
    'Time to take requests out of a batch.',
    { ...LATER, ...TIMED },
  ],
  [
    'batch_concat_duration',
    'histogram',
    'seconds',
    'sum',
    'Time to put batches together.',
    { ...LATER, ...TIMED },
  ],
  ['batch_inference_count', 'counter', 'events', 'sum', 'Batches begun.', { ...LATER, labels: ['method'] }],
  ['batch_inference_success', 'counter', 'events', 'sum', 'Batches done.', { ...LATER, labels: ['method'] }],
  [
    'batch_inference_failure',
    'counter',
    'events',
    'sum',
    'Batches that failed; each is an error to all of its requests.',
    { ...LATER, labels: ['method'] },
  ],
  ['batch_next_size', 'histogram', 'requests', 'sum', 'Requests of each new batch.', LATER],
]);
