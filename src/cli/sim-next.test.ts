import { expect, test } from 'vitest';

import { simNext } from './sim-next.ts';

test('an engine that its answers tell needs its address only', () => {
  expect(simNext('vllm', 'http://127.0.0.1:8000', 'penstock')).toBe(
    'Next:\n  penstock serve --engine http://127.0.0.1:8000\n',
  );
});

test('an engine whose page or kind cannot be told needs a config, which is printed whole', () => {
  expect(simNext('triton', 'http://127.0.0.1:8000', 'penstock')).toBe(`Next, with this in sim-triton.yaml:
  engines:
    - url: http://127.0.0.1:8000
      kind: triton
      metrics: /metrics

  penstock serve --config sim-triton.yaml
`);
  expect(simNext('nim', 'http://127.0.0.1:8000', 'penstock')).not.toContain('metrics:');
});
