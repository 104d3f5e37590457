import { expect, test } from 'vitest';
import { byPath, type FakeReply } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { settle } from '../../test/kit/manual-clock.ts';
import { watchEngine } from '../../test/kit/watched-engine.ts';
import { HttpFailure } from '../kit/http.ts';

const REFUSED = new HttpFailure('refused', 'connect ECONNREFUSED');
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

const vllmPage = text(fixture('engine-metrics', 'synthetic-vllm-v1-2026-core.prom'));
const vllm = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"example-model","owned_by":"vllm","max_model_len":8192}]}',
  '/metrics': vllmPage,
};
const llamaHeaders = { server: 'llama.cpp' };
const llama: Record<string, FakeReply> = {
  '/health': { headers: llamaHeaders, body: '{"status":"ok"}' },
  '/v1/models': {
    headers: llamaHeaders,
    body: '{"data":[{"id":"tiny","owned_by":"llamacpp","meta":{"n_ctx":4096}}]}',
  },
  '/props': { headers: llamaHeaders, body: '{"build_info":"b1-80fb11a"}' },
  '/metrics': { body: fixture('engine-metrics', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom') },
};

function started(...of: Parameters<typeof watchEngine>) {
  const watched = watchEngine(...of);
  const paths = (): string[] => watched.http.asked.map(({ path }) => path);
  return { ...watched, paths };
}

test('an engine is identified, then its page is read: kind, version, models, signals, their age', async () => {
  const { clock, engine, paths, scraper } = started(byPath(vllm));
  await settle();
  expect(engine.view()).toMatchObject({ kind: 'vllm', health: 'up', contract: 'complete', signalsAgeMs: 0 });
  expect(engine.view().signals).toMatchObject({ running: 7, waiting: 3, promptTokens: 482_113 });
  expect(engine.identity).toMatchObject({ certainty: 'known', version: '0.26.0' });
  expect(engine.view().models).toMatchObject([{ id: 'example-model', maxModelTokens: 8192 }]);
  expect(paths()).toEqual(['/health', '/version', '/v1/models', '/metrics']);
  await clock.advance(400);
  await scraper.stop();
  expect(clock.sleeping).toBe(0);
});

test('after that only the page is asked for, its health every 5 s, and the model list every 30 s', async () => {
  const { clock, http, paths, scraper } = started(byPath(vllm));
  await settle();
  http.asked.length = 0;
  await clock.advance(29_000);
  expect(new Set(paths())).toEqual(new Set(['/metrics', '/health']));
  expect(paths().filter((path) => path === '/metrics').length).toBeGreaterThanOrEqual(29);
  expect(paths().filter((path) => path === '/health')).toHaveLength(5);
  await clock.advance(3_000);
  expect(paths().filter((path) => path === '/v1/models').length).toBe(1);
  await scraper.stop();
});

test('the recorded llama.cpp page gives the state it was recorded in', async () => {
  const { engine, scraper } = started(byPath(llama));
  await settle();
  expect(engine.view()).toMatchObject({ kind: 'llama-cpp', contract: 'complete' });
  expect(engine.view().signals).toMatchObject({ running: 4, waiting: 2, progress: 379, generationTokens: 0 });
  expect(engine.identity?.version).toBe('b1-80fb11a');
  await scraper.stop();
});

test('TensorRT-LLM is known by its models, and the JSON page that empties when read is never touched', async () => {
  const { engine, paths, scraper } = started(
    byPath({
      '/health': '',
      '/version': '{"version":"1.3.0"}',
      '/v1/models': '{"data":[{"id":"m","owned_by":"tensorrt_llm"}]}',
      '/metrics': '[]',
      '/prometheus/metrics': text(fixture('engine-metrics', 'synthetic-trtllm-1.3-iter-stats.prom')),
    }),
  );
  await settle();
  expect(engine.view()).toMatchObject({ kind: 'trtllm', contract: 'complete' });
  expect(paths()).not.toContain('/metrics');
  expect(paths()).not.toContain('/health_generate');
  await scraper.stop();
});

test('what only a page says is a guess with a reason', async () => {
  const { engine, paths, scraper } = started(byPath({ '/health': '', '/metrics': vllmPage }));
  await settle();
  expect(engine.identity).toMatchObject({ certainty: 'guess' });
  expect(engine.identity?.profile.kind).toBe('vllm');
  expect(engine.identity?.reason).toContain('vllm:');
  expect(paths().slice(0, 5)).toEqual(['/health', '/version', '/v1/models', '/', '/metrics']);
  await scraper.stop();
});

test('a configured kind wins over what the answers say', async () => {
  const { engine, scraper } = started(byPath(vllm), { kind: 'sglang' });
  await settle();
  expect(engine.identity).toMatchObject({ certainty: 'configured', reason: 'configured as sglang' });
  expect(engine.view()).toMatchObject({ kind: 'sglang', contract: 'blind' });
  await scraper.stop();
});

test('three misses make everything of it vanish, with the reason; the first success brings it back', async () => {
  const { clock, engine, http, log, scraper } = started(byPath(vllm));
  await settle();
  const up = http.answer;
  http.answer = () => REFUSED;
  await clock.advance(2_000);
  expect(engine.page).toBeDefined();
  await clock.advance(10_000);
  expect(engine.view()).toMatchObject({ health: 'down', contract: 'unseen' });
  expect(engine.page).toBeUndefined();
  expect(engine.pageReason).toContain('connect ECONNREFUSED');
  expect([...engine.counts.failures.keys()]).toEqual(['refused']);
  expect(log.lines.filter(({ message }) => message === 'engine lost').length).toBe(1);
  http.answer = up;
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'complete' });
  await scraper.stop();
});

test.each<[string, string, FakeReply | HttpFailure]>([
  ['http-status', 'a status', { status: 500, body: 'oops' }],
  ['not-a-page', 'HTML', { body: '<!doctype html><html></html>' }],
  ['not-a-page', 'JSON', { body: '{"engine":{}}' }],
  ['not-a-page', 'nothing', { body: '' }],
  ['timeout', 'no answer in time', new HttpFailure('timeout', 'late')],
  ['too-large', 'too much', new HttpFailure('too-large', 'large')],
  ['cut-off', 'half a page', new HttpFailure('cut-off', 'half')],
  ['other', 'something else', new HttpFailure('other', 'odd')],
])('a scrape that brings %s (%s) is a failed scrape, never a blind engine', async (cause, _, reply) => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await settle();
  const healthy = http.answer;
  http.answer = (request) => (request.path === '/metrics' ? reply : healthy(request));
  await clock.advance(5_000);
  expect([...engine.counts.failures.keys()]).toEqual([cause]);
  expect(engine.view()).toMatchObject({ contract: 'unseen' });
  expect(engine.page).toBeUndefined();
  // Its health still answers: it keeps its traffic.
  expect(engine.view().health).toBe('up');
  await scraper.stop();
});

test('a page that fails together with its health is a lost engine', async () => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await settle();
  http.answer = () => ({ status: 503, body: '' });
  await clock.advance(5_000);
  expect(engine.view().health).toBe('down');
  expect(engine.contact.reason).toContain('GET /health answered 503');
  await scraper.stop();
});

test('llama.cpp without --metrics takes requests, and a person is told the flag once', async () => {
  const { clock, engine, log, scraper } = started(
    byPath({ ...llama, '/metrics': { status: 501, body: '{"error":{}}' } }),
  );
  await clock.advance(10_000);
  expect(engine.view()).toMatchObject({ kind: 'llama-cpp', health: 'up', contract: 'unseen' });
  const told = log.lines.filter(({ message }) => message === 'engine has no metrics page');
  expect(told.map(({ fields }) => fields['reason'])).toEqual([
    'GET http://gpu:8000/metrics answered 501; for metrics of llama.cpp, start it with --metrics',
  ]);
  await scraper.stop();
});

test('an engine that loads is loading from the first look to the end of it, and not missed', async () => {
  const loading = { status: 503, headers: llamaHeaders, body: '{"error":{"message":"Loading model"}}' };
  const { clock, engine, http, log, scraper } = started(() => loading);
  await clock.advance(20_000);
  expect(engine.view()).toMatchObject({ health: 'loading', contract: 'unseen' });
  expect(engine.contact.reason).toBe('GET /health answered 503: Loading model');
  http.answer = byPath(llama);
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ health: 'up', kind: 'llama-cpp' });
  http.answer = () => loading;
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ health: 'loading', signals: undefined });
  expect(log.lines.filter(({ message }) => message === 'engine is loading').length).toBe(2);
  await scraper.stop();
});

test('running or waiting absent is blind, another signal absent is partial; each is logged once with its names', async () => {
  const { clock, engine, http, log, scraper } = started(byPath(vllm));
  await settle();
  const without = (name: string): string =>
    vllmPage
      .split('\n')
      .filter((line) => !line.startsWith(`${name}{`))
      .join('\n');
  http.answer = byPath({ ...vllm, '/metrics': without('vllm:num_preemptions_total') });
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'partial' });
  expect(engine.missing).toEqual(['vllm:num_preemptions_total']);
  http.answer = byPath({ ...vllm, '/metrics': without('vllm:num_requests_waiting') });
  await clock.advance(1_000);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'blind' });
  expect(engine.view().signals).toMatchObject({ running: 7, waiting: undefined });
  const changes = log.lines.filter(({ message }) => message === 'engine contract changed');
  expect(changes.map(({ level, fields }) => [level, fields['contract'], fields['missing']])).toEqual([
    ['info', 'complete', undefined],
    ['info', 'partial', 'vllm:num_preemptions_total'],
    ['warn', 'blind', 'vllm:num_requests_waiting'],
  ]);
  await scraper.stop();
});

test('a page that claims work which does not move is stuck, until it moves', async () => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await clock.advance(4_000);
  expect(engine.view().contract).toBe('complete');
  await clock.advance(3_000);
  expect(engine.view()).toMatchObject({ contract: 'stuck', probeAllowed: true });
  http.answer = byPath({ ...vllm, '/metrics': vllmPage.replace(' 95620.0', ' 95621.0') });
  await clock.advance(1_000);
  expect(engine.view().contract).toBe('complete');
  await scraper.stop();
});

test('a page with one line that Prometheus refuses is malformed at first contact, with the place, until it is whole', async () => {
  const broken = `${vllmPage}cpu_load -nan\n`;
  const { clock, engine, http, scraper } = started(byPath({ ...vllm, '/metrics': broken }));
  await settle();
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'malformed' });
  expect(engine.problem).toMatch(/^line \d+, column \d+: /);
  expect(engine.view().signals?.running).toBe(7);
  http.answer = byPath(vllm);
  await clock.advance(1_000);
  expect(engine.view().contract).toBe('complete');
  await scraper.stop();
});

test('a restart is noticed, and who the engine is looked at again', async () => {
  const { clock, engine, http, log, scraper } = started(byPath(vllm));
  await settle();
  http.answer = byPath({
    ...vllm,
    '/version': '{"version":"0.30.0"}',
    '/metrics': vllmPage.replaceAll(' 482113.0', ' 5.0'),
  });
  await clock.advance(1_000);
  expect(engine.counts.restarts).toBe(1);
  expect(engine.identity?.version).toBe('0.30.0');
  expect(log.lines.map(({ message }) => message)).toContain('engine restarted');
  await scraper.stop();
});

test('another engine at the same address is seen as what it is', async () => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await settle();
  http.answer = () => REFUSED;
  await clock.advance(4_000);
  http.answer = byPath(llama);
  await clock.advance(3_000);
  expect(engine.view()).toMatchObject({ kind: 'llama-cpp', contract: 'complete' });
  expect(engine.view().models.map(({ id }) => id)).toEqual(['tiny']);
  await scraper.stop();
});

test('an engine that moved its page is looked at again within half a minute', async () => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await settle();
  http.answer = byPath({
    '/health': '',
    '/v1/models': '{"data":[{"id":"m","owned_by":"tensorrt_llm"}]}',
    '/prometheus/metrics': text(fixture('engine-metrics', 'synthetic-trtllm-1.3-iter-stats.prom')),
  });
  await clock.advance(35_000);
  expect(engine.view()).toMatchObject({ kind: 'trtllm', contract: 'complete' });
  await scraper.stop();
});

const ollama = {
  '/': 'Ollama is running',
  '/api/version': '{"version":"0.12.3"}',
  '/v1/models':
    '{"data":[{"id":"mistral:latest","owned_by":"library"},{"id":"phi:latest","owned_by":"library"}]}',
  '/api/ps': '{"models":[{"name":"mistral:latest","model":"mistral:latest","size_vram":5137025024}]}',
};

test('Ollama has no page: its health is looked at, and what is loaded at a slower pace', async () => {
  const { clock, engine, http, paths, scraper } = started(byPath(ollama));
  await settle();
  expect(engine.view()).toMatchObject({ kind: 'ollama', health: 'up', contract: 'none' });
  expect(engine.identity).toMatchObject({ certainty: 'known', version: '0.12.3' });
  expect(engine.view().models.map(({ id, loaded }) => [id, loaded])).toEqual([
    ['mistral:latest', true],
    ['phi:latest', false],
  ]);
  expect(engine.runtime).toBe('gpu-0');
  http.asked.length = 0;
  http.answer = byPath({ ...ollama, '/api/ps': '{"models":[]}' });
  await clock.advance(20_000);
  const count = (path: string): number => paths().filter((asked) => asked === path).length;
  expect(count('/')).toBeGreaterThanOrEqual(20);
  expect(count('/api/ps')).toBeGreaterThanOrEqual(3);
  expect(count('/api/ps')).toBeLessThanOrEqual(5);
  expect(paths()).not.toContain('/metrics');
  expect(engine.view().models.map(({ loaded }) => loaded)).toEqual([false, false]);
  http.answer = () => REFUSED;
  await clock.advance(4_000);
  expect(engine.view()).toMatchObject({ health: 'down', contract: 'unseen' });
  await scraper.stop();
});

test('a look on demand reads the models again; many at once are one look', async () => {
  const { clock, engine, http, paths, scraper } = started(byPath(vllm));
  await clock.advance(1_500);
  http.asked.length = 0;
  http.answer = byPath({ ...vllm, '/v1/models': '{"data":[{"id":"new","owned_by":"vllm"}]}' });
  await Promise.all(Array.from({ length: 10 }, () => scraper.lookNow(engine)));
  expect(engine.view().models.map(({ id }) => id)).toEqual(['new']);
  expect(paths()).toEqual(['/health', '/version', '/v1/models']);
  await scraper.lookNow(engine);
  expect(paths().length).toBe(3);
  await scraper.stop();
});

test('a model list that does not answer is no empty list', async () => {
  const { clock, engine, http, scraper } = started(byPath(vllm));
  await settle();
  http.answer = byPath({ ...vllm, '/v1/models': { status: 500 } });
  await clock.advance(2_000);
  await scraper.lookNow(engine);
  await clock.advance(40_000);
  expect(engine.view().models.map(({ id }) => id)).toEqual(['example-model']);
  await scraper.stop();
});

test('a page on another host may be gone while the engine is there', async () => {
  const { clock, engine, scraper } = started(
    (request) => (request.url.startsWith('http://metrics') ? REFUSED : byPath(vllm)(request)),
    { metrics: 'http://metrics:9000/metrics' },
  );
  await clock.advance(5_000);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'unseen' });
  expect([...engine.counts.failures.keys()]).toEqual(['refused']);
  await scraper.stop();
});

test('nothing runs after stop, in whatever it was', async () => {
  const { clock, http, engine, paths, scraper } = started(() => new Promise(() => {}));
  await settle();
  expect(paths()).toEqual(['/health']);
  const look = scraper.lookNow(engine);
  await scraper.stop();
  await look;
  http.asked.length = 0;
  await clock.advance(5_000);
  expect(paths()).toEqual([]);
  expect(clock.sleeping).toBe(0);
});

const longLabel = vllmPage.replaceAll('model_name="example-model"', `model_name="${'m'.repeat(200)}"`);
const limits = { lines: 1_000, series: 1_000, labelBytes: 100 };

const crowded = Array.from(
  { length: 20_001 },
  (_, at) => `vllm:request_success_total{finished_reason="r${at}"} 1\n`,
).join('');

test.each([
  [
    'lines',
    'too-many-lines',
    { ...limits, lines: 100 },
    vllmPage,
    /more than 100 lines \(scrape.maxPageLines\)/,
  ],
  ['series', 'too-many-series', { ...limits, series: 100 }, vllmPage, /100 series \(scrape.maxPageSeries\)/],
  [
    'what signals are read from',
    'too-many-series',
    { ...limits, lines: 1e6, series: 1e6 },
    crowded,
    /more than 20000 series that signals/,
  ],
  ['a label', 'label-too-long', limits, longLabel, /"model_name" is 200 bytes .* \(scrape.maxLabelBytes\)/],
])(
  'a page beyond its limit of %s is a failed scrape with a reason of its own',
  async (_, cause, page, body, why) => {
    const answers = { ...vllm };
    const { clock, engine, scraper } = started(byPath(answers), {}, { page });
    answers['/metrics'] = body;
    await settle();
    await clock.advance(3_000);
    await scraper.stop();
    expect(engine.view().signals).toBeUndefined();
    expect(engine.counts.failures.get(cause)).toBeGreaterThan(2);
    expect(engine.counts.failures.size).toBe(1);
    expect(engine.pageReason).toMatch(why);
  },
);

test('a page that outgrows its limit is dropped whole, and what is known is that of the page before', async () => {
  const answers = { ...vllm };
  const { clock, engine, scraper } = started(byPath(answers), {}, { page: { ...limits, series: 400 } });
  await settle();
  expect(engine.view().signals).toMatchObject({ running: 7 });
  const grown = vllmPage.replace(
    'running{engine="0",model_name="example-model"} 7.0',
    'running{engine="0"} 9',
  );
  answers['/metrics'] = grown + Array.from({ length: 300 }, (_, at) => `late{n="${at}"} 1\n`).join('');
  await clock.advance(1_000);
  expect(engine.view().signals).toMatchObject({ running: 7 });
  expect([...engine.counts.failures.keys()]).toEqual(['too-many-series']);
  await scraper.stop();
});
