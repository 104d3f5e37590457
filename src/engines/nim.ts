import { openPage } from './open-page.ts';
import { unprefixed } from './unprefixed.ts';

/** NVIDIA NIM. */
export const nim = unprefixed({
  kind: 'nim',
  title: 'NVIDIA NIM',
  verifiedAgainst: [{ version: 'not established', how: 'documentation' }],
  defaultPort: 8000,
  metrics: { ...openPage, path: '/v1/metrics' },
  // Where its page is, nothing of an unnamed engine is asked.
  onlyByConfig: true,
  kvUsage: 'gpu_cache_usage_perc',
  doubts: [
    'Its current families were not read in its source: those of its documentation are looked for, and what is not there is only absent.',
  ],
  detect: ({ families }) => {
    if (families?.has('num_requests_running') !== true || !families.has('gpu_cache_usage_perc'))
      return undefined;
    return {
      certainty: 'guess',
      reason: "its page has vLLM's names without a prefix and gpu_cache_usage_perc, as NIM's",
    };
  },
});
