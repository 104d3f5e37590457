import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { samplesOf } from '../../test/kit/page-samples.ts';
import { ContractIncompleteError, contractOf, requireContract } from './contract.ts';
import { llamaCpp } from './llama-cpp.ts';
import { llamaCppRouter } from './llama-cpp-router.ts';
import { ollama } from './ollama.ts';
import type { EngineProfile } from './profile.ts';
import { sglang } from './sglang.ts';
import { readSignals } from './signals.ts';
import { strata } from './strata.ts';
import { tgi } from './tgi.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';

test.each([
  { profile: vllm, file: 'synthetic-vllm-v1-2026-core.prom' },
  { profile: sglang, file: 'synthetic-sglang-0.5-tp2-dp2.prom' },
  { profile: llamaCpp, file: 'llamacpp-v0.4.0-80fb11a-metrics-idle.prom' },
  { profile: trtllm, file: 'synthetic-trtllm-1.3-iter-stats.prom' },
  { profile: strata, file: 'synthetic-strata-vllm-form.prom' },
])("$profile.kind's whole page is complete", ({ profile, file }) => {
  const signals = readSignals(profile, readPage(file).samples);
  expect(contractOf(profile, signals)).toEqual({ state: 'complete', missing: [] });
});

test('without a mandatory signal an engine is blind, and the error names it', () => {
  const page = readPage('synthetic-vllm-v1-2026-core.prom').samples;
  const signals = readSignals(
    vllm,
    page.filter(({ name }) => name !== 'vllm:num_requests_waiting'),
  );
  expect(contractOf(vllm, signals)).toEqual({ state: 'blind', missing: ['vllm:num_requests_waiting'] });
  expect(() => requireContract(vllm, signals)).toThrow(
    new ContractIncompleteError(['vllm:num_requests_waiting']),
  );
  expect(() => requireContract(vllm, signals)).toThrow('contract incomplete: vllm:num_requests_waiting');
});

test('what comes only with its first event is no blindness: a fresh TGI is partial, and complete once it has run', () => {
  const fresh = contractOf(tgi, readSignals(tgi, []));
  expect(fresh).toEqual({
    state: 'partial',
    missing: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
  });
  expect(() => requireContract(tgi, readSignals(tgi, []))).not.toThrow();
  const { samples } = readPage('synthetic-tgi-3.prom');
  expect(contractOf(tgi, readSignals(tgi, samples))).toEqual({ state: 'complete', missing: [] });
});

test('a router without a loaded model is partial, not blind', () => {
  expect(contractOf(llamaCppRouter, readSignals(llamaCppRouter, [])).state).toBe('partial');
});

test('the error names mandatory signals only', () => {
  expect(() => requireContract(vllm, readSignals(vllm, []))).toThrow(
    /^contract incomplete: vllm:num_requests_running, vllm:num_requests_waiting$/,
  );
});

test('without another named signal an engine is partial, which is no error', () => {
  const signals = readSignals(vllm, samplesOf('vllm:num_requests_running 1', 'vllm:num_requests_waiting 0'));
  const contract = contractOf(vllm, signals);
  expect(contract.state).toBe('partial');
  expect(contract.missing).toContain('vllm:kv_cache_usage_perc');
  expect(() => requireContract(vllm, signals)).not.toThrow();
});

test('a kind without metrics has no contract to fill', () => {
  const contract = contractOf(ollama, readSignals(ollama, []));
  expect(contract).toEqual({ state: 'none', missing: [] });
});

test('a kind that names no mandatory signal has none either', () => {
  const families: EngineProfile['families'] = { 'vllm:num_requests_running': { missing: 'no such thing' } };
  const profile: EngineProfile = { ...vllm, families };
  expect(contractOf(profile, readSignals(profile, [])).state).toBe('none');
});
