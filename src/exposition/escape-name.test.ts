import { expect, test } from 'vitest';

import { type Escaping, escapeLabelName, escapeMetricName } from './escape-name.ts';

// As https://prometheus.io/docs/instrumenting/escaping_schemes and prometheus/common's EscapeName have it.
test.each<[string, Escaping, string]>([
  ['my.metric', 'allow-utf-8', 'my.metric'],
  ['my.metric', 'underscores', 'my_metric'],
  ['my.metric', 'dots', 'my_dot_metric'],
  ['my.metric', 'values', 'U__my_2e_metric'],
  ['my_metric.x/y', 'dots', 'my__metric_dot_x__y'],
  ['my_metric.x', 'values', 'U__my__metric_2e_x'],
  ['0a', 'underscores', '_a'],
  ['0a', 'values', 'U___30_a'],
  ['花.火', 'underscores', '___'],
  ['花火', 'values', 'U___82b1__706b_'],
  ['🚀', 'values', 'U___1f680_'],
  ['\ud800', 'values', 'U___FFFD_'],
  ['', 'values', '_'],
  ['', 'allow-utf-8', '_'],
])('metric name %j becomes, with %s, %j', (name, escaping, written) => {
  expect(escapeMetricName(name, escaping)).toBe(written);
});

test.each<Escaping>(['allow-utf-8', 'underscores', 'dots', 'values'])(
  'with %s a classic name stays what dashboards ask for',
  (escaping) => {
    expect(escapeMetricName('vllm:num_requests_running', escaping)).toBe('vllm:num_requests_running');
    expect(escapeLabelName('model_name', escaping)).toBe('model_name');
  },
);

test.each<[Escaping, string]>([
  ['underscores', 'a_b'],
  ['dots', 'a__b'],
  ['values', 'U__a_3a_b'],
  ['allow-utf-8', 'a:b'],
])('a label name has no colon: a:b becomes, with %s, %s', (escaping, written) => {
  expect(escapeLabelName('a:b', escaping)).toBe(written);
});
