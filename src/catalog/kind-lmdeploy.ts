import { kindFamiliesOf } from './kind-families.ts';

const SPECULATIVE = { when: 'with speculative decoding' };

/** LMDeploy beyond vLLM's names. Its counts of succeeded and failed requests are typed gauge. */
export const lmdeployFamilies = kindFamiliesOf('lmdeploy:', [
  [
    'num_requests_succeeded',
    'gauge',
    'requests',
    'sum',
    'Requests answered since the start (a count, though typed gauge).',
  ],
  [
    'num_requests_failed',
    'gauge',
    'requests',
    'sum',
    'Requests failed since the start (a count, though typed gauge).',
  ],
  [
    'num_api_requests_routed',
    'gauge',
    'requests',
    'sum',
    'Requests the API server has handed to the engine.',
  ],
  [
    'num_api_requests_waiting',
    'gauge',
    'requests',
    'sum',
    'Requests that wait in the API server in front of the engine; part of the waiting requests.',
  ],
  ['prefix_cache_hit_rate', 'gauge', 'ratio', 'mean', 'Hit rate of the prefix cache since the start.'],
  [
    'spec_decode_mean_accept_rate',
    'gauge',
    'ratio',
    'mean',
    'Share of drafted tokens accepted.',
    SPECULATIVE,
  ],
  ['spec_decode_mean_accept_length', 'gauge', 'tokens', 'mean', 'Tokens accepted per draft.', SPECULATIVE],
  [
    'spec_decode_per_position_accept_rate',
    'gauge',
    'ratio',
    'mean',
    'Share of drafts accepted up to each position.',
    { ...SPECULATIVE, labels: ['position'] },
  ],
  [
    'request_cached_tokens',
    'histogram',
    'tokens',
    'sum',
    'Prompt tokens of a request found in the cache.',
    { when: 'in some versions' },
  ],
  [
    'request_cache_hit_ratio',
    'histogram',
    'ratio',
    'sum',
    'Share of a prompt found in the cache.',
    { when: 'in some versions', bounds: [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1] },
  ],
  [
    'backend_config_info',
    'gauge',
    'none',
    'info',
    'Engine settings in its labels, value 1.',
    { when: 'in some versions' },
  ],
]);
