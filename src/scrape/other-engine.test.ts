import { expect, test } from 'vitest';
import type { FakeReply } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { type Replies, watchedEngine } from '../../test/kit/watched-engine.ts';
import { HttpFailure } from '../kit/http.ts';

const vllmWith = (more = ''): Replies => ({
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"m","owned_by":"vllm"}]}',
  '/metrics': `vllm:num_requests_running 0\nvllm:num_requests_waiting 0\nvllm:generation_tokens_total 0\n${more}`,
});
const vllm = vllmWith();
const llamaHeaders = { server: 'llama.cpp' };
const llama: Readonly<Record<string, FakeReply>> = {
  '/health': { headers: llamaHeaders, body: '{"status":"ok"}' },
  '/v1/models': { headers: llamaHeaders, body: '{"data":[{"id":"tiny","owned_by":"llamacpp"}]}' },
  '/props': { headers: llamaHeaders, body: '{"build_info":"b1-80fb11a"}' },
  '/metrics': { body: fixture('engine-metrics', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom') },
};
const ollama: Replies = {
  '/': 'Ollama is running',
  '/api/version': '{"version":"0.12.3"}',
  '/v1/models': '{"data":[{"id":"mistral:latest","owned_by":"library"}]}',
};
const gone = new HttpFailure('refused', 'connect ECONNREFUSED');

test('another kind at the same address, without a scrape that failed, is seen at once with its first page', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine(vllm);
  expect(engine.view()).toMatchObject({ kind: 'vllm', runtime: 'vllm-m' });
  reply(llama);
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({
    kind: 'llama-cpp',
    contract: 'complete',
    models: [{ id: 'tiny' }],
    signals: { running: 4, waiting: 2 },
  });
  await scraper.stop();
});

test('engines of another kind are another runtime; of another model of that kind the same', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine(vllm);
  reply({ ...vllm, '/v1/models': '{"data":[{"id":"n","owned_by":"vllm"}]}' });
  await clock.advance(31_000);
  expect(engine.view()).toMatchObject({ models: [{ id: 'n' }], runtime: 'vllm-m' });
  reply(llama);
  await clock.advance(1_000);
  expect(engine.runtime).toBe('llama-cpp-tiny');
  await scraper.stop();
});

test('a runtime that the operator named stays', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine(vllm, { runtime: 'chat' });
  reply(llama);
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ kind: 'llama-cpp', runtime: 'chat' });
  await scraper.stop();
});

test.each<[string, Replies, Replies, number, string]>([
  ['one without a page in place of one with a page', vllm, ollama, 3_000, 'ollama'],
  ['one with a page in place of one without', ollama, vllm, 31_000, 'vllm'],
])('%s is seen as what it is', async (_, before, after, withinMs, kind) => {
  const { clock, engine, reply, scraper } = await watchedEngine(before);
  await clock.advance(3_000);
  reply(after);
  await clock.advance(withinMs);
  expect(engine.view().kind).toBe(kind);
  await scraper.stop();
});

test('an idle engine that began anew is counted where its page tells when its process began', async () => {
  const { clock, engine, logged, reply, scraper } = await watchedEngine(
    vllmWith('process_start_time_seconds 1.7645e9\n'),
  );
  reply(vllmWith('process_start_time_seconds 1.7645e9\n'));
  await clock.advance(5_000);
  expect(engine.counts.restarts).toBe(0);
  reply({ ...vllmWith('process_start_time_seconds 1.7646e9\n'), '/version': '{"version":"0.27.0"}' });
  await clock.advance(1_000);
  expect(engine.counts.restarts).toBe(1);
  expect(engine.identity?.version).toBe('0.27.0');
  expect(logged('engine restarted')).toHaveLength(1);
  await scraper.stop();
});

test('that a request finds it gone first is logged, too', async () => {
  const { clock, engine, http, logged, scraper } = await watchedEngine(vllm);
  http.answer = () => gone;
  for (let time = 0; time < 3; time += 1) engine.reportUnreachable('connect ECONNREFUSED');
  expect(engine.view().health).toBe('down');
  await clock.advance(1_000);
  expect(logged('engine lost')).toHaveLength(1);
  await clock.advance(10_000);
  expect(logged('engine lost')).toHaveLength(1);
  await scraper.stop();
});

test('an engine that never was there is not lost', async () => {
  const { clock, logged, scraper } = await watchedEngine(() => gone);
  await clock.advance(10_000);
  expect([logged('engine lost').length, logged('engine not reached').length]).toEqual([0, 1]);
  await scraper.stop();
});
