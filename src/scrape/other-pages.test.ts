import { expect, test } from 'vitest';
import { collectingLog } from '../../test/kit/collecting-log.ts';
import { byPath, type FakeHandler, fakeHttp } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { ManualClock, settle } from '../../test/kit/manual-clock.ts';
import { profiles } from '../engines/index.ts';
import { Fleet } from '../fleet/fleet.ts';
import { HttpFailure } from '../kit/http.ts';
import { defaultScrapeSettings, Scraper } from './scraper.ts';

function started(kind: string, answer: FakeHandler) {
  const clock = new ManualClock();
  const fleet = new Fleet({ clock });
  const settings = {
    name: 'e',
    url: 'http://gpu:8000',
    runtime: undefined,
    key: undefined,
    metrics: undefined,
  };
  const engine = fleet.add({ ...settings, kind });
  const http = fakeHttp(answer);
  const scraper = new Scraper({ clock, http, profiles, fleet, log: collectingLog() }, defaultScrapeSettings);
  scraper.start();
  return { clock, engine, http, scraper, asked: () => http.asked.map(({ url }) => url) };
}

const page = (file: string) => ({ body: fixture('engine-metrics', file) });
const ROUTER_PAGE = '/metrics?autoload=false&model=tiny-q8_0';

test('a router is read by the pages of its loaded models, and its list is read again with each', async () => {
  const routes = {
    '/health': '{"status":"ok"}',
    '/v1/models': page('llamacpp-v0.4.0-80fb11a-router-v1-models-before.json'),
    [ROUTER_PAGE]: page('llamacpp-v0.4.0-80fb11a-router-metrics-model.prom'),
  };
  const { clock, engine, http, scraper, asked } = started('llama-cpp-router', byPath(routes));
  await settle();
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'partial', kind: 'llama-cpp-router' });
  expect(asked().some((url) => url.includes('model='))).toBe(false);
  expect(engine.view().models.map(({ loaded }) => loaded)).toEqual([false, false]);
  http.answer = byPath({
    ...routes,
    '/v1/models': page('llamacpp-v0.4.0-80fb11a-router-v1-models-loaded.json'),
  });
  await clock.advance(2_000);
  expect(engine.view()).toMatchObject({ contract: 'complete', signals: { running: 0, promptTokens: 13 } });
  expect(engine.view().models.map(({ loaded }) => loaded)).toEqual([false, true]);
  expect(engine.runtime).toBe('e');
  await scraper.stop();
});

test('an old Strata that knows only JSON is read by it, and what is kept of it is a page', async () => {
  const { engine, scraper } = started(
    'strata',
    byPath({
      '/health': '{"status":"ok"}',
      '/v1/models': '{"data":[{"id":"example-moe-q4"}]}',
      '/metrics?format=prometheus': page('synthetic-strata-metrics.json'),
    }),
  );
  await settle();
  expect(engine.view()).toMatchObject({
    health: 'up',
    contract: 'partial',
    signals: { running: 1, waiting: 2 },
  });
  expect(new TextDecoder().decode(engine.page?.bytes)).toMatch(/^# HELP vllm:num_requests_running /);
  await scraper.stop();
});

test("TensorRT-LLM's records are read where they are asked for; an emptied page is no failure and no zero", async () => {
  let body = '[{"numActiveRequests":3,"numQueuedRequests":1}]';
  const { clock, engine, scraper } = started('trtllm-json', (request) =>
    request.path === '/metrics' ? { body } : { body: '{}' },
  );
  await settle();
  expect(engine.view().signals).toMatchObject({ running: 3, waiting: 1 });
  body = '[]';
  await clock.advance(2_000);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'none' });
  expect(engine.view().signals?.running).toBeUndefined();
  await scraper.stop();
});

test("Triton's page is on its own port, and that it is gone does not make the engine lost", async () => {
  const { engine, asked, scraper } = started('triton', ({ url }) =>
    url.startsWith('http://gpu:8002/') ? new HttpFailure('refused', 'connect ECONNREFUSED') : { body: '{}' },
  );
  await settle();
  expect(asked()).toContain('http://gpu:8002/metrics');
  expect(engine.view().health).toBe('up');
  expect(engine.pageReason).toContain('ECONNREFUSED');
  await scraper.stop();
});

test('llama-swap is asked every few seconds what runs, and never for an engine behind it', async () => {
  const { clock, engine, asked, scraper } = started(
    'llama-swap',
    byPath({
      '/health': 'OK',
      '/metrics': 'llamaswap_load_average{interval="1m"} 0.5\n',
      '/v1/models': '{"data":[{"id":"a","owned_by":"llama-swap"},{"id":"b","owned_by":"llama-swap"}]}',
      '/running': '{"running":[{"model":"b","state":"ready"}]}',
    }),
  );
  await settle();
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'none' });
  expect(engine.view().models.map(({ loaded }) => loaded)).toEqual([false, true]);
  const before = asked().filter((url) => url.endsWith('/running')).length;
  await clock.advance(21_000);
  const later = asked().filter((url) => url.endsWith('/running')).length - before;
  expect(later).toBeGreaterThanOrEqual(3);
  expect(later).toBeLessThanOrEqual(5);
  expect(asked().some((url) => url.includes('/upstream'))).toBe(false);
  await scraper.stop();
});
