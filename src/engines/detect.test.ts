import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { detectKind, evidenceOfPage } from './detect.ts';
import type { Answer, Evidence } from './evidence.ts';
import { profiles } from './index.ts';
import type { EngineProfile } from './profile.ts';
import { sourcesOf } from './sample-names.ts';

const answer = (body: unknown, headers: Answer['headers'] = {}, status = 200): Answer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const owned = (owner: string): Evidence => ({ models: answer({ data: [{ id: 'm', owned_by: owner }] }) });
const fixtureText = (file: string): string => new TextDecoder().decode(fixture('engine-metrics', file));
const namesOf = ({ families }: EngineProfile): readonly string[] =>
  Object.values(families).flatMap((supply) => sourcesOf(supply).flatMap(({ names }) => names));
const page = (file: string): Evidence => evidenceOfPage(readPage(file));

test.each([
  { kind: 'vllm', evidence: { ...owned('vllm'), version: answer({ version: '0.26.0' }) } },
  { kind: 'vllm', evidence: owned('vllm') },
  { kind: 'sglang', evidence: owned('sglang') },
  { kind: 'trtllm', evidence: owned('tensorrt_llm') },
  { kind: 'llama-cpp', evidence: owned('llamacpp') },
  { kind: 'llama-cpp', evidence: { health: answer('{"error":{}}', { server: 'llama.cpp' }, 503) } },
  { kind: 'strata', evidence: { health: answer({ status: 'ok', service: 'strata' }) } },
  { kind: 'ollama', evidence: { root: answer('Ollama is running') } },
  { kind: 'aphrodite', evidence: owned('aphrodite') },
  { kind: 'lmdeploy', evidence: owned('lmdeploy') },
  { kind: 'llama-swap', evidence: owned('llama-swap') },
  { kind: 'mlc-llm', evidence: owned('MLC-LLM') },
  { kind: 'tgi', evidence: { confirmed: answer({ docker_label: 'sha', model_id: 'm', version: '3.3.6' }) } },
  { kind: 'triton', evidence: { confirmed: answer({ name: 'triton', version: '2.60.0' }) } },
  {
    kind: 'llama-cpp-router',
    evidence: {
      health: answer({ status: 'ok' }, { server: 'llama.cpp' }),
      models: answer(fixtureText('llamacpp-v0.4.0-80fb11a-router-v1-models-before.json')),
    },
  },
  {
    kind: 'llama-cpp',
    evidence: {
      health: answer({ status: 'ok' }, { server: 'llama.cpp' }),
      models: answer(fixtureText('llamacpp-v0.4.0-80fb11a-models-idle.json')),
    },
  },
  {
    kind: 'dynamo-frontend',
    evidence: { ...owned('nvidia'), families: new Set(['dynamo_frontend_inflight_requests']) },
  },
])('$kind is known by what it says of itself', ({ kind, evidence }) => {
  const { profile, certainty, reason } = detectKind(evidence);
  expect({ kind: profile.kind, certainty }).toEqual({ kind, certainty: 'known' });
  expect(reason).not.toBe('');
});

test.each([
  { kind: 'vllm', file: 'synthetic-vllm-v1-2026-core.prom' },
  { kind: 'sglang', file: 'synthetic-sglang-0.5-tp2-dp2.prom' },
  { kind: 'trtllm', file: 'synthetic-trtllm-1.3-iter-stats.prom' },
  { kind: 'llama-cpp', file: 'llamacpp-v0.4.0-80fb11a-metrics-idle.prom' },
  { kind: 'strata', file: 'synthetic-strata-vllm-form.prom' },
  { kind: 'strata', file: 'synthetic-strata-llamacpp-form.prom' },
  { kind: 'llm-d-inference-sim', file: 'synthetic-llm-d-inference-sim.prom' },
  { kind: 'ray-vllm', file: 'synthetic-ray-vllm-2026.prom' },
  { kind: 'tgi', file: 'synthetic-tgi-3.prom' },
  { kind: 'lmdeploy', file: 'synthetic-lmdeploy-0.16.prom' },
  { kind: 'mistralrs', file: 'synthetic-mistralrs.prom' },
  { kind: 'llama-cpp', file: 'llamacpp-v0.4.0-80fb11a-router-metrics-model.prom' },
])('$file alone makes $kind a guess', ({ kind, file }) => {
  const { profile, certainty } = detectKind(page(file));
  expect({ kind: profile.kind, certainty }).toEqual({ kind, certainty: 'guess' });
});

test('what an engine says of itself beats what its page looks like', () => {
  const evidence = { ...page('synthetic-vllm-v1-2026-core.prom'), ...owned('sglang') };
  expect(detectKind(evidence)).toMatchObject({ profile: { kind: 'sglang' }, certainty: 'known' });
});

test('a simulator that owns its models as vLLM is told by its page, and stays a guess', () => {
  const evidence = { ...page('synthetic-llm-d-inference-sim.prom'), ...owned('vllm') };
  const { profile, certainty, reason } = detectKind(evidence);
  expect(profile.kind).toBe('llm-d-inference-sim');
  expect(certainty).toBe('guess');
  expect(reason).toContain('owned_by "vllm"');
});

test('an owner "vllm" whose /version is not there is only a guess until its page is seen', () => {
  const silent = { ...owned('vllm'), version: answer('404 page not found', {}, 404) };
  const { profile, certainty, reason } = detectKind(silent);
  expect({ kind: profile.kind, certainty }).toEqual({ kind: 'vllm', certainty: 'guess' });
  expect(reason).toContain('/version answers 404');
  // A proxy may let the page through and not the version.
  const withPage = detectKind({ ...silent, ...page('synthetic-vllm-v1-2026-core.prom') });
  expect(withPage).toMatchObject({ profile: { kind: 'vllm' }, certainty: 'known' });
});

test.each([
  { kind: 'triton', others: ['nv_inference_count', 'vllm:num_requests_running'] },
  { kind: 'dynamo-worker', others: ['dynamo_component_requests_total', 'vllm:num_requests_running'] },
  { kind: 'dynamo-worker', others: ['sglang:num_running_reqs', 'dynamo_component_requests_total'] },
  { kind: 'dynamo-worker', others: ['trtllm_request_success_total', 'dynamo_component_requests_total'] },
  { kind: 'strata', others: ['strata:requests_total', 'llamacpp:requests_processing'] },
])(
  'names of another engine on the page of $kind do not make it that engine ($others)',
  ({ kind, others }) => {
    const { profile, certainty } = detectKind({ families: new Set(others), labels: new Set(['engine']) });
    expect({ kind: profile.kind, certainty }).toEqual({ kind, certainty: 'guess' });
  },
);

test.each([
  { kind: 'nim', families: ['num_requests_running', 'gpu_cache_usage_perc'] },
  { kind: 'mindie', families: ['num_requests_running', 'npu_cache_usage_perc'] },
  { kind: 'generic', families: ['num_requests_running', 'request_success_total'] },
  { kind: 'generic', families: ['gpu_cache_usage_perc'] },
])('$families without a prefix make $kind, and one name alone makes nothing', ({ kind, families }) => {
  expect(detectKind({ families: new Set(families) }).profile.kind).toBe(kind);
});

test('no kind is known from its page alone', () => {
  for (const profile of profiles) {
    const families = new Set([...namesOf(profile), ...profile.own.map(({ name }) => name)]);
    for (const labels of [new Set(['engine']), new Set(['finish_reason'])]) {
      expect(profile.detect({ families, labels })?.certainty, profile.kind).not.toBe('known');
    }
  }
});

test('two kinds are never known from anything: the destructive page and the fork that looks like its parent', () => {
  for (const kind of ['trtllm-json', 'ik-llama-cpp']) {
    const profile = profiles.find((one) => one.kind === kind);
    const evidence = { ...owned('tensorrt_llm'), families: new Set(['llamacpp:requests_processing']) };
    expect(profile?.detect(evidence)).toBeUndefined();
  }
});

test('Strata is known though its page has vLLM names', () => {
  const evidence = {
    ...page('synthetic-strata-vllm-form.prom'),
    health: answer({ status: 'ok', service: 'strata' }),
  };
  expect(detectKind(evidence)).toMatchObject({ profile: { kind: 'strata' }, certainty: 'known' });
});

test('names without prefix are TensorRT-LLM only beside its label', () => {
  const families = new Set(['time_to_first_token_seconds', 'request_success_total']);
  const withLabel = detectKind({ families, labels: new Set(['engine_type', 'model_name']) });
  expect(withLabel).toMatchObject({ profile: { kind: 'trtllm' }, certainty: 'guess' });
  const without = detectKind({ families, labels: new Set(['model_name']) });
  expect(without).toMatchObject({ profile: { kind: 'generic' }, certainty: 'none' });
});

test.each([
  { what: 'nothing', evidence: {} },
  { what: 'HTML', evidence: { health: answer('<html>'), models: answer('<html>') } },
  { what: 'an empty model list', evidence: { models: answer({ data: null }) } },
  { what: 'a stranger', evidence: owned('somebody') },
])('$what points at no kind, and says so', ({ evidence }) => {
  const { profile, certainty, reason } = detectKind(evidence);
  expect({ kind: profile.kind, certainty }).toEqual({ kind: 'generic', certainty: 'none' });
  expect(reason).toContain('read by vLLM');
});

test('a page without TYPE lines is told by the names of its samples', () => {
  const samples = [{ name: 'vllm:num_requests_running', labels: { engine: '0' }, value: 3 }];
  expect(detectKind(evidenceOfPage({ families: [], samples }))).toMatchObject({
    profile: { kind: 'vllm' },
    certainty: 'guess',
  });
});
