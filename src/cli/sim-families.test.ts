import { expect, test } from 'vitest';

import { familiesText } from './sim-families.ts';

test('each family of a kind stands on a line of its own, with what makes it move', () => {
  const lines = familiesText('vllm').split('\n');
  const lineOf = (name: string): string | undefined =>
    lines.find((line) => line.startsWith(`${name} `))?.replace(/\s+/g, ' ');
  expect(lineOf('vllm:num_requests_running')).toBe('vllm:num_requests_running moves by itself');
  expect(lineOf('vllm:num_preemptions_total')).toBe('vllm:num_preemptions_total moves with --kv-tokens');
  expect(lineOf('vllm:mm_cache_hits_total')).toBe(
    'vllm:mm_cache_hits_total stays at 0: no images or sounds are simulated',
  );
  expect(lineOf('vllm:cache_config_info')).toBe('vllm:cache_config_info told at the start, and stands');
});

test('a kind without metrics says so', () => {
  expect(familiesText('ollama')).toBe('ollama has no metrics page.\n');
});
