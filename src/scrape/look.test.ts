import { expect, test } from 'vitest';
import { byPath, type FakeReply, fakeHttp } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { profiles } from '../engines/index.ts';
import { lookAtEngine } from './look.ts';

const page = (file: string): FakeReply => ({ body: fixture('engine-metrics', file) });
const owned = (owner: string): string => JSON.stringify({ data: [{ id: 'm', owned_by: owner }] });

async function look(replies: Parameters<typeof byPath>[0], over: { kind?: string; metrics?: string } = {}) {
  const http = fakeHttp(byPath(replies));
  const settings = {
    name: 'e',
    url: 'http://gpu:8000',
    kind: over.kind,
    runtime: undefined,
    key: undefined,
    metrics: over.metrics,
  };
  const limits = { timeoutMs: 1_000, maxPageBytes: 1 << 22 };
  const found = await lookAtEngine({ http, profiles }, settings, limits, new AbortController().signal);
  if (found.state !== 'seen') throw new Error(found.state);
  const { profile, metricsPath, certainty, reason, version } = found.identity;
  return {
    kind: profile.kind,
    metricsPath,
    certainty,
    reason,
    version,
    asked: http.asked.map(({ path }) => path),
  };
}

test('TGI is guessed by its page and known by its own word', async () => {
  const found = await look({
    '/health': '',
    '/metrics': page('synthetic-tgi-3.prom'),
    '/info': '{"docker_label":"sha-1","model_id":"m","version":"3.3.6"}',
  });
  expect(found).toMatchObject({ kind: 'tgi', certainty: 'known', version: '3.3.6' });
  expect(found.asked.indexOf('/metrics')).toBeLessThan(found.asked.indexOf('/info'));
});

test('Triton, whose page is on another port, is known by what it alone answers at /v2', async () => {
  const found = await look({ '/v2': '{"name":"triton","version":"2.60.0","extensions":[]}' });
  expect(found).toMatchObject({ kind: 'triton', certainty: 'known', version: '2.60.0' });
});

test('a simulator that owns its models as vLLM and has no version is told by its page', async () => {
  const replies = {
    '/health': '',
    '/v1/models': owned('vllm'),
    '/metrics': page('synthetic-llm-d-inference-sim.prom'),
  };
  expect(await look(replies)).toMatchObject({ kind: 'llm-d-inference-sim', certainty: 'guess' });
});

test('vLLM that answers its version is known without its page', async () => {
  const found = await look({
    '/health': '',
    '/version': '{"version":"0.26.0"}',
    '/v1/models': owned('vllm'),
  });
  expect(found).toMatchObject({ kind: 'vllm', certainty: 'known' });
  expect(found.asked).not.toContain('/metrics');
});

test("the page of Ray's agent, where the operator says it is, makes a guess of its kind", async () => {
  const replies = {
    '/health': '',
    '/v1/models': owned('somebody'),
    '/agent': page('synthetic-ray-vllm-2026.prom'),
  };
  expect(await look(replies, { metrics: '/agent' })).toMatchObject({ kind: 'ray-vllm', certainty: 'guess' });
});

test('a router of llama.cpp is known by its list, and its page is not asked for', async () => {
  const found = await look({
    '/health': { headers: { server: 'llama.cpp' }, body: '{"status":"ok"}' },
    '/v1/models': page('llamacpp-v0.4.0-80fb11a-router-v1-models-before.json'),
  });
  expect(found).toMatchObject({ kind: 'llama-cpp-router', certainty: 'known' });
  expect(found.asked.filter((path) => path.startsWith('/metrics'))).toEqual([]);
});

test('no look asks for what harms: no token, no model loaded, no page emptied', async () => {
  const owners = ['llama-swap', 'tensorrt_llm', 'lmdeploy', 'MLC-LLM', 'aphrodite', 'somebody'];
  const asked = new Set<string>();
  for (const owner of owners) {
    for (const path of (await look({ '/health': '', '/v1/models': owned(owner) })).asked) asked.add(path);
  }
  for (const path of asked)
    expect(path).not.toMatch(/health_generate|upstream|perf_metrics|model=|kv_cache_events/);
  const drained = await look({ '/health': '', '/v1/models': owned('tensorrt_llm') });
  expect(drained.asked).not.toContain('/metrics');
});

test("TensorRT-LLM's JSON is read only where a config says so", async () => {
  for (const { kind, detect } of profiles) {
    if (kind === 'trtllm-json')
      expect(detect({ models: { status: 200, headers: {}, body: owned('tensorrt_llm') } })).toBeUndefined();
  }
  const found = await look({ '/health': '' }, { kind: 'trtllm-json' });
  expect(found).toMatchObject({ kind: 'trtllm-json', certainty: 'configured' });
});

test.each([
  ['ray-vllm', 'synthetic-ray-vllm-2026.prom', '/metrics'],
  ['tgi', 'synthetic-tgi-3.prom', undefined],
])('the page that shows %s at its own address is the one that is read', async (kind, file, path) => {
  const found = await look({ '/health': '', '/v1/models': owned('somebody'), '/metrics': page(file) });
  expect(found).toMatchObject({ kind, metricsPath: path });
});

test('a page that shows nothing of Triton leaves its own port to be read', async () => {
  const triton = '{"name":"triton","version":"2.60.0","extensions":[]}';
  const empty = await look({ '/v2': triton, '/metrics': 'go_info 1\n' });
  expect(empty).toMatchObject({ kind: 'triton', metricsPath: undefined });
  const own = await look({ '/v2': triton, '/metrics': 'nv_inference_count 1\n' });
  expect(own).toMatchObject({ kind: 'triton', certainty: 'known', metricsPath: '/metrics' });
});
