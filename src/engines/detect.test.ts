import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { detectKind, evidenceOfPage } from './detect.ts';
import type { Answer, Evidence } from './evidence.ts';

const answer = (body: unknown, headers: Answer['headers'] = {}, status = 200): Answer => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const owned = (owner: string): Evidence => ({ models: answer({ data: [{ id: 'm', owned_by: owner }] }) });
const page = (file: string): Evidence => evidenceOfPage(readPage(file));

test.each([
  { kind: 'vllm', evidence: owned('vllm') },
  { kind: 'sglang', evidence: owned('sglang') },
  { kind: 'trtllm', evidence: owned('tensorrt_llm') },
  { kind: 'llama-cpp', evidence: owned('llamacpp') },
  { kind: 'llama-cpp', evidence: { health: answer('{"error":{}}', { server: 'llama.cpp' }, 503) } },
  { kind: 'strata', evidence: { health: answer({ status: 'ok', service: 'strata' }) } },
  { kind: 'ollama', evidence: { root: answer('Ollama is running') } },
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
  { kind: 'vllm', file: 'synthetic-llm-d-inference-sim.prom' },
])('$file alone makes $kind a guess', ({ kind, file }) => {
  const { profile, certainty } = detectKind(page(file));
  expect({ kind: profile.kind, certainty }).toEqual({ kind, certainty: 'guess' });
});

test('what an engine says of itself beats what its page looks like', () => {
  const evidence = { ...page('synthetic-vllm-v1-2026-core.prom'), ...owned('sglang') };
  expect(detectKind(evidence)).toMatchObject({ profile: { kind: 'sglang' }, certainty: 'known' });
});

test('a simulator that owns its models as vLLM stays a guess, since its page gives it away', () => {
  const evidence = { ...page('synthetic-llm-d-inference-sim.prom'), ...owned('vllm') };
  const { profile, certainty, reason } = detectKind(evidence);
  expect(profile.kind).toBe('vllm');
  expect(certainty).toBe('guess');
  expect(reason).toContain('llm-d-inference-sim');
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
  { what: 'a stranger', evidence: owned('lmdeploy') },
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
