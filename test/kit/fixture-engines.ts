import { byPath, type FakeHandler } from './fake-http.ts';
import { fixture } from './fixture.ts';

function engine(
  owner: string,
  model: string,
  path: string,
  file: string,
  headers: Record<string, string> = {},
): FakeHandler {
  return byPath({
    '/health': { headers },
    '/v1/models': { headers, body: JSON.stringify({ data: [{ id: model, owned_by: owner }] }) },
    [path]: {
      body: fixture('engine-metrics', file),
      headers: { 'content-type': 'text/plain; version=0.0.4' },
    },
  });
}

/** One engine of each kind with real page bytes, by name. */
export const fixtureEngines: Readonly<Record<string, FakeHandler>> = {
  vllm: engine('vllm', 'example-model', '/metrics', 'synthetic-vllm-v1-2026-dp4.prom'),
  sglang: engine('sglang', 'example-model', '/metrics', 'synthetic-sglang-0.5-tp2-dp2.prom'),
  trtllm: engine(
    'tensorrt_llm',
    'example-model',
    '/prometheus/metrics',
    'synthetic-trtllm-1.3-iter-stats.prom',
  ),
  llama: engine('llamacpp', 'tiny', '/metrics', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom', {
    server: 'llama.cpp',
  }),
  strata: byPath({
    '/health': '{"status":"ok","service":"strata"}',
    '/v1/models': '{"data":[{"id":"strata-model"}]}',
    '/metrics?format=prometheus': { body: fixture('engine-metrics', 'synthetic-strata-vllm-form.prom') },
    '/metrics': { body: fixture('engine-metrics', 'synthetic-strata-vllm-form.prom') },
  }),
  ollama: byPath({
    '/': 'Ollama is running',
    '/api/version': '{"version":"0.12.3"}',
    '/v1/models': '{"data":[{"id":"mistral:latest","owned_by":"library"}]}',
    '/api/ps': '{"models":[{"model":"mistral:latest"}]}',
  }),
};
