import { expect, test } from 'vitest';
import { byPath, type FakeReply } from '../../test/kit/fake-http.ts';
import { watchedEngine } from '../../test/kit/watched-engine.ts';
import { HttpFailure } from '../kit/http.ts';

const vllm: Readonly<Record<string, FakeReply | string>> = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"m","owned_by":"vllm"}]}',
  '/metrics': 'vllm:num_requests_running 0\nvllm:num_requests_waiting 0\n',
};

test.each<[what: string, list: FakeReply | string, problem: string]>([
  ['401', { status: 401 }, 'GET /v1/models answered 401: set or correct `key`'],
  ['403', { status: 403 }, 'GET /v1/models answered 403: set or correct `key`'],
  ['404', { status: 404 }, 'GET /v1/models answered 404'],
  ['a redirect', { status: 302 }, 'GET /v1/models answered 302'],
  ['a page for people', '<html></html>', 'GET /v1/models answered with something that is no list'],
  ['an empty list', '{"object":"list","data":[]}', 'the list at /v1/models is empty'],
  ["Ollama's way to say so", '{"object":"list","data":null}', 'the list at /v1/models is empty'],
])('why an engine has no models is kept and said once: %s', async (_, list, problem) => {
  const { clock, engine, scraper, logged } = await watchedEngine({ ...vllm, '/v1/models': list });
  expect(engine.identity).toMatchObject({ models: [], modelsProblem: problem });
  await clock.advance(65_000);
  await scraper.stop();
  expect(logged('engine lists no models').map(({ level, fields }) => [level, fields])).toEqual([
    ['warn', { engine: 'gpu-0', reason: problem }],
  ]);
});

test('an engine with models has no such problem, and one that gets some loses it', async () => {
  const { clock, engine, http, scraper, logged } = await watchedEngine({
    ...vllm,
    '/v1/models': { status: 401 },
  });
  http.answer = byPath(vllm);
  await clock.advance(31_000);
  expect(engine.identity).toMatchObject({ models: [{ id: 'm' }], modelsProblem: undefined });
  http.answer = byPath({ ...vllm, '/v1/models': { status: 500 } });
  await clock.advance(31_000);
  expect(engine.identity).toMatchObject({
    models: [{ id: 'm' }],
    modelsProblem: 'GET /v1/models answered 500',
  });
  expect(logged('engine lists no models')).toHaveLength(1);
  await scraper.stop();
});

test('a router whose models all went says so, and one that has some again does not', async () => {
  const router: Readonly<Record<string, FakeReply | string>> = {
    '/health': { headers: { server: 'llama.cpp' }, body: '{"status":"ok"}' },
    '/v1/models': '{"data":[]}',
  };
  const { clock, engine, http, scraper } = await watchedEngine(router, { kind: 'llama-cpp-router' });
  expect(engine.identity?.modelsProblem).toBe('the list at /v1/models is empty');
  http.answer = byPath({ ...router, '/v1/models': '{"data":[{"id":"m","status":{"value":"unloaded"}}]}' });
  await clock.advance(2_000);
  expect(engine.identity).toMatchObject({ models: [{ id: 'm' }], modelsProblem: undefined });
  await scraper.stop();
});

test('a kind that serves no requests needs no models', async () => {
  const { scraper, logged } = await watchedEngine({ '/health': '' }, { kind: 'dynamo-worker' });
  expect(logged('engine lists no models')).toEqual([]);
  await scraper.stop();
});

test.each([
  ['a path it does not serve', { '/version': { status: 404, headers: { 'x-penstock-error': 'x' } } }],
  ['a list of kinds behind it', { '/v1/models': '{"data":[{"id":"m","owned_by":"sglang"}]}' }],
  ['a key it wants', { '/v1/models': { status: 401, headers: { 'x-penstock-error': 'x' } } }],
])('another Penstock is told by its headers: %s', async (_, replies) => {
  const version = { status: 404, headers: { 'x-penstock-error': 'unknown_endpoint' } };
  const { engine, scraper, logged } = await watchedEngine({ '/health': '', '/version': version, ...replies });
  expect(engine.identity).toMatchObject({
    stranger: 'penstock',
    profile: { kind: 'generic' },
    reason: 'its answers carry the header "x-penstock-error": it is a Penstock gateway',
  });
  expect(logged('engine is a Penstock gateway')).toHaveLength(1);
  await scraper.stop();
});

test('another Penstock is told when the config says it is of some kind, too', async () => {
  const headers = { 'x-penstock-error': 'unknown_endpoint' };
  const { engine, scraper } = await watchedEngine(
    { '/health': '', '/version': { status: 404, headers } },
    { kind: 'vllm' },
  );
  expect(engine.identity).toMatchObject({ stranger: 'penstock', certainty: 'configured' });
  await scraper.stop();
});

test.each<
  [what: string, replies: Readonly<Record<string, FakeReply | string>>, stranger: string | undefined]
>([
  ['a file server', { '/': '<html></html>' }, 'unlike'],
  ['a login page everywhere', { '/health': '<html>', '/v1/models': '<html>' }, 'unlike'],
  ['redirects', { '/health': { status: 302 }, '/v1/models': { status: 302 } }, 'unlike'],
  ['a list of models', { '/v1/models': '{"data":[]}' }, undefined],
  ['a list behind a key', { '/v1/models': { status: 401 } }, undefined],
  ['a list that fails', { '/v1/models': { status: 500 } }, undefined],
  ['a known kind', vllm, undefined],
])('what is like no engine is told from one that may be: %s', async (_, replies, stranger) => {
  const { engine, scraper } = await watchedEngine(replies);
  expect(engine.identity?.stranger).toBe(stranger);
  await scraper.stop();
});

test('an engine that has not told its models yet is no engine without models', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine({ ...vllm, '/v1/models': { status: 500 } });
  expect(engine.view()).toMatchObject({ health: 'up', models: [], listState: 'unread' });
  reply({ ...vllm, '/v1/models': { status: 401 } });
  await clock.advance(6_000);
  expect(engine.view()).toMatchObject({ models: [], listState: 'key-refused' });
  reply(vllm);
  await clock.advance(6_000);
  expect(engine.view()).toMatchObject({ models: [{ id: 'm' }], listState: 'read' });
  reply({ ...vllm, '/v1/models': '{"data":[]}' });
  await clock.advance(31_000);
  expect(engine.view()).toMatchObject({ models: [], listState: 'read' });
  await scraper.stop();
});

test('a list that fails once at first contact is read again within seconds', async () => {
  const failing = new HttpFailure('cut-off', 'the connection ended early');
  const { clock, engine, http, reply, scraper } = await watchedEngine({});
  http.answer = (request) => (request.path === '/v1/models' ? failing : byPath(vllm)(request));
  await clock.advance(2_000);
  expect(engine.view()).toMatchObject({ health: 'up', listState: 'unread' });
  reply(vllm);
  await clock.advance(6_000);
  expect(engine.view()).toMatchObject({ models: [{ id: 'm' }], listState: 'read' });
  await scraper.stop();
});

test.each<[what: string, replies: Readonly<Record<string, FakeReply | string>>, kind: string | undefined]>([
  ['of a kind that serves no requests', { '/health': '' }, 'dynamo-worker'],
  ['that is like no engine', { '/': '<html></html>' }, undefined],
])('an address %s keeps nothing from being known', async (_, replies, kind) => {
  const { engine, scraper } = await watchedEngine(replies, { kind });
  expect(engine.view()).toMatchObject({ health: 'up', listState: 'read' });
  await scraper.stop();
});

test('a list that is too long is said once, and what is kept of it', async () => {
  const ids = Array.from({ length: 10_002 }, (_, at) => ({ id: `m${at}`, owned_by: 'vllm' }));
  const { clock, engine, logged, scraper } = await watchedEngine({
    ...vllm,
    '/v1/models': JSON.stringify({ data: ids }),
  });
  await clock.advance(61_000);
  await scraper.stop();
  expect(engine.view().models).toHaveLength(10_000);
  expect(logged('engine lists too many models').map(({ fields }) => fields)).toEqual([
    { engine: 'gpu-0', reason: 'the list at /v1/models is too long: 2 of its names are left out' },
  ]);
  const [up] = logged('engine is up');
  expect(up?.fields['models']).toMatch(/^m0, m1, .*, m19 and 9980 more$/);
});
