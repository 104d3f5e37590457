import { expect, test } from 'vitest';

import type { MetricType } from './exposition.ts';
import { familyResolver } from './family-of.ts';

const resolve = familyResolver([
  { name: 'h', type: 'histogram' },
  { name: 's', type: 'summary' },
  { name: 'gh', type: 'gaugehistogram' },
  { name: 'c', type: 'counter' },
  { name: 'whole_total', type: 'counter' },
  { name: 'i', type: 'info' },
  { name: 'pool_count', type: 'gauge' },
  { name: 'pool', type: 'gauge' },
  { name: 'h_created', type: 'gauge' },
  { name: 'vllm:iteration_tokens_total', type: 'histogram' },
]);

test.each<[string, string, MetricType]>([
  ['h_bucket', 'h', 'histogram'],
  ['h_sum', 'h', 'histogram'],
  ['h_count', 'h', 'histogram'],
  ['h_created', 'h_created', 'gauge'],
  ['h_total', 'h_total', 'unknown'],
  ['s', 's', 'summary'],
  ['s_sum', 's', 'summary'],
  ['s_count', 's', 'summary'],
  ['s_bucket', 's_bucket', 'unknown'],
  ['gh_bucket', 'gh', 'gaugehistogram'],
  ['gh_gsum', 'gh', 'gaugehistogram'],
  ['gh_sum', 'gh_sum', 'unknown'],
  ['c', 'c', 'counter'],
  ['c_total', 'c', 'counter'],
  ['c_created', 'c', 'counter'],
  ['whole_total', 'whole_total', 'counter'],
  ['whole', 'whole', 'unknown'],
  ['i_info', 'i', 'info'],
  ['pool_count', 'pool_count', 'gauge'],
  ['pool_sum', 'pool_sum', 'unknown'],
  ['vllm:iteration_tokens_total_count', 'vllm:iteration_tokens_total', 'histogram'],
  ['vllm:iteration_tokens_total', 'vllm:iteration_tokens_total', 'histogram'],
  ['constructor', 'constructor', 'unknown'],
])('%s is of family %s, a %s', (name, family, type) => {
  expect(resolve(name)).toEqual({ family, type });
});
