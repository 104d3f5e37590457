import type { CatalogFamily } from './family.ts';

/** vLLM's state of the moment (V1, always there). Values are those of the last scheduler step. */
export const vllmGauges: readonly CatalogFamily[] = [
  {
    name: 'vllm:num_requests_running',
    type: 'gauge',
    unit: 'requests',
    labels: [],
    help: 'Requests in execution batches; at its ceiling while others wait, the engine is full.',
    ranks: 'sum',
  },
  {
    name: 'vllm:num_requests_waiting',
    type: 'gauge',
    unit: 'requests',
    labels: [],
    help: 'Requests accepted but not yet running; above zero for long means more load than the engine can carry.',
    ranks: 'sum',
  },
  {
    name: 'vllm:num_requests_waiting_by_reason',
    type: 'gauge',
    unit: 'requests',
    labels: ['reason'],
    labelValues: { reason: ['capacity', 'deferred'] },
    help: 'Waiting requests by reason: capacity means the engine is full, deferred that LoRA or a KV transfer holds them back.',
    ranks: 'sum',
    since: 'about 0.20',
  },
  {
    name: 'vllm:engine_sleep_state',
    type: 'gauge',
    unit: 'state',
    labels: ['sleep_state'],
    labelValues: { sleep_state: ['awake', 'weights_offloaded', 'discard_all'] },
    help: 'One for the state the engine is in; awake at 0 means it sleeps and must not be sent requests.',
    ranks: 'max',
    since: 'about 0.12',
  },
  {
    name: 'vllm:kv_cache_usage_perc',
    type: 'gauge',
    unit: 'ratio',
    labels: [],
    help: 'Used share of KV-cache blocks, 0 to 1; near 1 the engine queues or preempts instead of admitting.',
    ranks: 'max',
    since: '0.9.2',
  },
  {
    name: 'vllm:cache_config_info',
    type: 'gauge',
    unit: 'none',
    labels: [],
    help: 'Cache configuration in its labels, value 1; block_size times num_gpu_blocks is the KV capacity of a rank in tokens.',
    ranks: 'info',
  },
];
