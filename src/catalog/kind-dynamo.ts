import { kindFamiliesOf } from './kind-families.ts';

const ENDPOINT = ['dynamo_namespace', 'dynamo_component', 'dynamo_endpoint'];
const WORKER = { labels: ['worker_id', 'dp_rank', 'worker_type'], when: 'once workers serve requests' };
const SOME_VERSIONS = { when: 'in some versions' };

/** Dynamo's frontend beyond vLLM's names. It stands in front of workers: what is in their caches they say. */
export const dynamoFrontendFamilies = kindFamiliesOf('dynamo_frontend_', [
  [
    'disconnected_clients',
    'gauge',
    'requests',
    'sum',
    'Clients that left before their answer, since the start (it only grows, though typed gauge).',
  ],
  [
    'stage_requests',
    'gauge',
    'requests',
    'sum',
    'Requests by stage and phase.',
    { ...SOME_VERSIONS, labels: ['stage', 'phase'] },
  ],
  ['model_total_kv_blocks', 'gauge', 'blocks', 'max', 'KV blocks of one worker of the model.', SOME_VERSIONS],
  [
    'model_kv_cache_block_size',
    'gauge',
    'tokens',
    'max',
    'Tokens of one KV block of the model.',
    SOME_VERSIONS,
  ],
  [
    'model_max_num_seqs',
    'gauge',
    'requests',
    'max',
    'Requests one worker of the model runs at once.',
    SOME_VERSIONS,
  ],
  [
    'model_max_num_batched_tokens',
    'gauge',
    'tokens',
    'max',
    'Tokens of a step of one worker of the model.',
    SOME_VERSIONS,
  ],
  ['model_context_length', 'gauge', 'tokens', 'max', 'Longest context of the model.', SOME_VERSIONS],
  [
    'model_migration_limit',
    'gauge',
    'events',
    'max',
    'Moves to another worker a request may make.',
    SOME_VERSIONS,
  ],
  [
    'model_migration_total',
    'counter',
    'events',
    'sum',
    'Requests moved because their worker went away.',
    { ...SOME_VERSIONS, labels: ['migration_type'] },
  ],
  ['model_cancellation_total', 'counter', 'requests', 'sum', 'Requests cancelled.', SOME_VERSIONS],
  [
    'model_rejection_total',
    'counter',
    'requests',
    'sum',
    'Requests refused; more load than the workers take.',
    SOME_VERSIONS,
  ],
  ['worker_active_decode_blocks', 'gauge', 'blocks', 'sum', 'KV blocks in use of each worker.', WORKER],
  ['worker_active_prefill_tokens', 'gauge', 'tokens', 'sum', 'Prompt tokens queued at each worker.', WORKER],
  [
    'worker_last_time_to_first_token_seconds',
    'gauge',
    'seconds',
    'max',
    'Time to the first token of the last request of each worker.',
    WORKER,
  ],
  [
    'worker_last_inter_token_latency_seconds',
    'gauge',
    'seconds',
    'max',
    'Gap between tokens of the last request of each worker.',
    WORKER,
  ],
]);

/** Dynamo's workers beyond the families of the engine inside. */
export const dynamoWorkerFamilies = kindFamiliesOf('dynamo_component_', [
  ['inflight_requests', 'gauge', 'requests', 'sum', 'Requests in the worker.', { labels: ENDPOINT }],
  ['requests_total', 'counter', 'requests', 'sum', 'Requests the worker has taken.', { labels: ENDPOINT }],
  [
    'errors_total',
    'counter',
    'requests',
    'sum',
    'Requests that failed in the worker.',
    { ...SOME_VERSIONS, labels: ENDPOINT },
  ],
  [
    'request_duration_seconds',
    'histogram',
    'seconds',
    'sum',
    'Time of a request in the worker.',
    { labels: ENDPOINT },
  ],
  ['request_bytes_total', 'counter', 'bytes', 'sum', 'Bytes of requests.', { labels: ENDPOINT }],
  ['response_bytes_total', 'counter', 'bytes', 'sum', 'Bytes of answers.', { labels: ENDPOINT }],
  ['total_blocks', 'gauge', 'blocks', 'sum', 'KV blocks of the worker.', SOME_VERSIONS],
  ['uptime_seconds', 'gauge', 'seconds', 'max', 'Time since the worker started.', SOME_VERSIONS],
]);
