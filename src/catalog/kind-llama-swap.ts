import { kindFamiliesOf } from './kind-families.ts';

const WHEN_KNOWN = 'while the value is known';

/** llama-swap's page: the machine it runs on, nothing of the engines behind it. */
export const llamaSwapFamilies = kindFamiliesOf('llamaswap_', [
  [
    'cpu_util_percent',
    'gauge',
    'percent',
    'max',
    'Load of each processor core.',
    { labels: ['core'], when: WHEN_KNOWN },
  ],
  [
    'load_average',
    'gauge',
    'none',
    'max',
    'Load average of the machine.',
    { labels: ['interval'], when: WHEN_KNOWN },
  ],
  [
    'network_bytes_total',
    'counter',
    'bytes',
    'sum',
    'Bytes over the network of the machine.',
    { when: WHEN_KNOWN },
  ],
]);
