import { expect, test } from 'vitest';

import { byPath } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { watchedEngine } from '../../test/kit/watched-engine.ts';
import { HttpFailure } from '../kit/http.ts';

const page = (name: string): string => new TextDecoder().decode(fixture('engine-metrics', name));
const list = (owner: string): string => JSON.stringify({ data: [{ id: 'm', owned_by: owner }] });
const vllm = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': list('vllm'),
  '/metrics': page('synthetic-vllm-v1-2026-core.prom'),
};
const sglang = {
  '/health': '',
  '/get_server_info': '{"version":"0.5.6"}',
  '/v1/models': list('sglang'),
  '/metrics': page('synthetic-sglang-0.5-tp2-dp2.prom'),
};

test('a vLLM whose page comes while its core is dead is down after three looks at its health', async () => {
  const { clock, engine, http, scraper } = await watchedEngine(vllm);
  http.answer = byPath({ ...vllm, '/health': { status: 503 } });
  await clock.advance(11_000);
  expect(engine.view().health).toBe('up');
  await clock.advance(6_000);
  expect([engine.view().health, engine.page === undefined]).toEqual(['down', false]);
  expect(engine.contact.reason).toContain('GET /health answered 503');
  http.answer = byPath(vllm);
  await clock.advance(1_000);
  expect(engine.view().health).toBe('up');
  await scraper.stop();
});

test('one whose health path hangs while its page comes is down as well', async () => {
  const { clock, engine, http, scraper } = await watchedEngine(vllm);
  http.answer = (request) =>
    request.path === '/health'
      ? new HttpFailure('timeout', 'no whole answer within 5000 ms')
      : byPath(vllm)(request);
  await clock.advance(17_000);
  expect(engine.view().health).toBe('down');
  await scraper.stop();
});

test.each([404, 401, 405, 429, 501])(
  'a health path that answers %d says nothing against the engine',
  async (status) => {
    const { clock, engine, scraper } = await watchedEngine({ ...vllm, '/health': { status } });
    await clock.advance(60_000);
    expect(engine.view().health).toBe('up');
    await scraper.stop();
  },
);

test('SGLang is not asked for its health while its page comes: each look costs it a token', async () => {
  const { clock, engine, asked, scraper } = await watchedEngine(sglang);
  expect([engine.view().kind, asked('/health')]).toEqual(['sglang', 1]);
  await clock.advance(60_000);
  expect([engine.view().health, asked('/health')]).toEqual(['up', 1]);
  await scraper.stop();
});

test('without its page it is asked every 15 s, and is down when that fails three times', async () => {
  const { clock, engine, http, asked, scraper } = await watchedEngine({
    ...sglang,
    '/metrics': { status: 404 },
  });
  http.asked.length = 0;
  await clock.advance(60_000);
  expect(engine.view().health).toBe('up');
  expect(asked('/health')).toBeLessThanOrEqual(7);
  http.answer = byPath({ ...sglang, '/metrics': { status: 404 }, '/health': { status: 500 } });
  await clock.advance(50_000);
  expect(engine.view().health).toBe('down');
  await scraper.stop();
});

test('an SGLang that began anew gets nothing until its warm-up is over, though its page comes', async () => {
  const { clock, engine, http, scraper } = await watchedEngine(sglang);
  http.answer = () => new HttpFailure('refused', 'connect ECONNREFUSED');
  await clock.advance(5_000);
  expect(engine.view().health).toBe('down');
  http.answer = byPath({ ...sglang, '/health': { status: 503 } });
  await clock.advance(20_000);
  expect(engine.view().health).toBe('loading');
  http.answer = byPath(sglang);
  await clock.advance(2_000);
  expect(engine.view().health).toBe('up');
  await scraper.stop();
});
