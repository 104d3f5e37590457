import { openPage } from './open-page.ts';
import { unprefixed } from './unprefixed.ts';

/** Huawei MindIE. */
export const mindie = unprefixed({
  kind: 'mindie',
  title: 'MindIE',
  verifiedAgainst: [{ version: 'not established', how: 'documentation' }],
  defaultPort: 1025,
  metrics: openPage,
  kvUsage: 'npu_cache_usage_perc',
  doubts: [
    'Port, health and families were not read in its source: its documented names are looked for, and what is not there is only absent.',
  ],
  detect: ({ families }) => {
    if (families?.has('num_requests_running') !== true || !families.has('npu_cache_usage_perc'))
      return undefined;
    return {
      certainty: 'guess',
      reason: "its page has vLLM's names without a prefix and npu_cache_usage_perc, as MindIE's",
    };
  },
});
