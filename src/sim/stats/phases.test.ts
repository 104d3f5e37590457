import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { pageOfSim, totalOf, virtualSim, work } from '../../../test/kit/sim.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/engine-metrics');
/** vLLM's own list is a public capture, which stays outside of the repository. */
const VLLM_FAMILIES = join(
  import.meta.dirname,
  '../../../../shared/fixtures/engine-metrics/vllm-0.26.0-families.txt',
);

test.skipIf(!existsSync(VLLM_FAMILIES))('vllm shows every family of 0.26.0 before its first request', () => {
  expectFamilies('vllm', VLLM_FAMILIES);
});

test.each([
  ['sglang', 'synthetic-sglang-0.5-tp2-dp2.prom'],
  ['llama-cpp', 'llamacpp-v0.4.0-80fb11a-metrics-idle.prom'],
  ['trtllm', 'synthetic-trtllm-1.3-iter-stats.prom'],
  ['strata', 'synthetic-strata-vllm-form.prom'],
])('%s shows every family of its version before its first request (%s)', (kind, file) => {
  expectFamilies(kind, join(FIXTURES, file));
});

function expectFamilies(kind: string, path: string): void {
  const wanted = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => /^(?:# TYPE )?([a-zA-Z_:][\w:]*) (counter|gauge|histogram)$/.exec(line))
    .flatMap((match) => (match === null ? [] : [`${match[1]} ${match[2]}`]));
  expect(wanted.length).toBeGreaterThan(14);
  const { sim } = virtualSim({ kind, ranks: kind === 'sglang' ? 2 : 1 });
  const page = pageOfSim(sim);
  const shown = page.families.map(({ name, type }) => `${name} ${type}`);
  expect(wanted.filter((family) => !shown.includes(family))).toEqual([]);
  const sampled = new Set(page.samples.map(({ name }) => name));
  const silent = page.families.filter(({ name }) => !sampled.has(name) && !sampled.has(`${name}_count`));
  expect(silent.map(({ name }) => name)).toEqual([]);
}

test('vllm counts a prompt with its first token and an answer as it grows', async () => {
  const { clock, sim } = virtualSim({ kind: 'vllm' });
  await sim.driver.submit(work(4000, 100));
  await clock.advance(50);
  expect(totalOf(pageOfSim(sim), 'vllm:prompt_tokens_total')).toBe(0);
  await clock.advance(100);
  const early = pageOfSim(sim);
  expect(totalOf(early, 'vllm:prompt_tokens_total')).toBe(4000);
  const generated = totalOf(early, 'vllm:generation_tokens_total') ?? 0;
  expect(generated).toBeGreaterThan(3);
  expect(generated).toBeLessThan(50);
  expect(totalOf(early, 'vllm:e2e_request_latency_seconds_count')).toBe(0);
  await clock.advance(2000);
  const late = pageOfSim(sim);
  expect(totalOf(late, 'vllm:generation_tokens_total')).toBe(100);
  expect(totalOf(late, 'vllm:e2e_request_latency_seconds_count')).toBe(1);
  expect(totalOf(late, 'vllm:inter_token_latency_seconds_count')).toBe(99);
  expect(totalOf(late, 'vllm:iteration_tokens_total_sum')).toBe(4100);
  expect(totalOf(late, 'vllm:request_params_max_tokens_sum')).toBe(100);
});

test('sglang counts tokens when a request ends, and its realtime counter before', async () => {
  const { clock, sim } = virtualSim({ kind: 'sglang' });
  await sim.driver.submit(work(1000, 200));
  await clock.advance(600);
  const early = pageOfSim(sim);
  expect(totalOf(early, 'sglang:num_running_reqs')).toBe(1);
  expect(totalOf(early, 'sglang:prompt_tokens_total')).toBe(0);
  expect(totalOf(early, 'sglang:generation_tokens_total')).toBe(0);
  expect(totalOf(early, 'sglang:time_to_first_token_seconds_count')).toBe(1);
  expect(totalOf(early, 'sglang:realtime_tokens_total', { mode: 'prefill_compute' })).toBe(1000);
  // At log intervals of 40 steps.
  expect(totalOf(early, 'sglang:realtime_tokens_total', { mode: 'decode' })).toBe(80);
  expect(totalOf(early, 'sglang:gen_throughput')).toBeGreaterThan(100);
  await clock.advance(2000);
  const late = pageOfSim(sim);
  expect(totalOf(late, 'sglang:prompt_tokens_total')).toBe(1000);
  expect(totalOf(late, 'sglang:generation_tokens_total')).toBe(200);
  expect(totalOf(late, 'sglang:num_running_reqs')).toBe(0);
  expect(totalOf(late, 'sglang:gen_throughput')).toBeGreaterThan(100);
});

test('llama-cpp counts a prompt when it is read and an answer when it ends; only n_decode moves between', async () => {
  const { clock, sim } = virtualSim({ kind: 'llama-cpp', profile: 'home-8b-q4', maxNumSeqs: 4 });
  await sim.driver.submit(work(100, 40));
  await clock.advance(600);
  const early = pageOfSim(sim);
  expect(totalOf(early, 'llamacpp:prompt_tokens_total')).toBe(100);
  expect(totalOf(early, 'llamacpp:tokens_predicted_total')).toBe(0);
  expect(totalOf(early, 'llamacpp:n_decode_total')).toBeGreaterThan(5);
  expect(totalOf(early, 'llamacpp:n_busy_slots_per_decode')).toBe(1);
  expect(totalOf(early, 'llamacpp:prompt_tokens_seconds')).toBeGreaterThan(100);
  // The window began anew with that page.
  expect(totalOf(pageOfSim(sim), 'llamacpp:prompt_tokens_seconds')).toBe(0);
  await clock.advance(3000);
  const late = pageOfSim(sim);
  expect(totalOf(late, 'llamacpp:tokens_predicted_total')).toBe(40);
  expect(totalOf(late, 'llamacpp:predicted_tokens_seconds')).toBeGreaterThan(10);
  expect(totalOf(late, 'llamacpp:n_tokens_max')).toBe(140);
});

test('trtllm shows nothing new until a request is complete', async () => {
  const { clock, sim } = virtualSim({ kind: 'trtllm', maxNumSeqs: 1 });
  await sim.driver.submit(work(100, 20));
  for (let count = 0; count < 3; count += 1) await sim.driver.submit(work(100, 200));
  await clock.advance(100);
  const early = pageOfSim(sim);
  expect(totalOf(early, 'trtllm_num_requests_running')).toBe(0);
  expect(totalOf(early, 'trtllm_num_requests_waiting')).toBe(0);
  expect(totalOf(early, 'trtllm_time_to_first_token_seconds_count')).toBe(0);
  await clock.advance(300);
  const after = pageOfSim(sim);
  expect(totalOf(after, 'trtllm_request_success_total', { finished_reason: 'length' })).toBe(1);
  expect(totalOf(after, 'trtllm_num_requests_running')).toBe(1);
  expect(totalOf(after, 'trtllm_num_requests_waiting')).toBe(2);
  expect(totalOf(after, 'trtllm_generation_tokens_total')).toBe(20);
  await clock.advance(10_000);
  expect(totalOf(pageOfSim(sim), 'trtllm_num_requests_running')).toBe(0);
});

test('the iteration records of trtllm are gone once read', async () => {
  const { clock, sim } = virtualSim({ kind: 'trtllm' });
  await sim.driver.submit(work(100, 5));
  await clock.advance(200);
  const records = sim.stats.drainIterations();
  expect(records).toHaveLength(5);
  expect(records[0]).toMatchObject({ iter: 1, numActiveRequests: 1, numQueuedRequests: 0 });
  expect(records[0]?.['iterLatencyMS']).toBeCloseTo(sim.profile.weightMs + sim.profile.hostMs, 0);
  expect(sim.stats.drainIterations()).toEqual([]);
});

test('strata counts when a request ends, and shows at once who runs and who waits', async () => {
  const { clock, sim } = virtualSim({ kind: 'strata', profile: 'home-8b-q4', maxNumSeqs: 1 });
  for (let count = 0; count < 3; count += 1) await sim.driver.submit(work(100, 20));
  const atOnce = pageOfSim(sim);
  expect(totalOf(atOnce, 'vllm:num_requests_running')).toBe(1);
  expect(totalOf(atOnce, 'vllm:num_requests_waiting')).toBe(2);
  expect(totalOf(atOnce, 'strata:live_state', { state: 'generating' })).toBe(1);
  expect(totalOf(atOnce, 'vllm:prompt_tokens_total')).toBe(0);
  await clock.advance(300);
  const usage = totalOf(pageOfSim(sim), 'vllm:kv_cache_usage_perc') ?? 0;
  expect(usage).toBeGreaterThan(100 / 8192);
  expect(usage).toBeLessThan(140 / 8192);
  await clock.advance(10_000);
  const late = pageOfSim(sim);
  expect(totalOf(late, 'vllm:prompt_tokens_total')).toBe(300);
  expect(totalOf(late, 'vllm:inter_token_latency_seconds_count')).toBe(57);
  expect(totalOf(late, 'vllm:kv_cache_usage_perc')).toBe(0);
});

test('an engine of ranks shows each rank apart, and per process what it counts per process', async () => {
  const { clock, sim } = virtualSim({ kind: 'sglang', ranks: 2 });
  for (let count = 0; count < 4; count += 1) await sim.driver.submit(work(100, 30));
  await clock.advance(5000);
  const page = pageOfSim(sim);
  expect(totalOf(page, 'sglang:queue_time_seconds_count', { dp_rank: '0' })).toBe(2);
  expect(totalOf(page, 'sglang:queue_time_seconds_count', { dp_rank: '1' })).toBe(2);
  expect(totalOf(page, 'sglang:prompt_tokens_total')).toBe(400);
  expect(page.samples.filter(({ name }) => name === 'sglang:inter_token_latency_seconds_count')).toHaveLength(
    1,
  );
});
