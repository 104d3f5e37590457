import { expect, test } from 'vitest';
import { byPath, type FakeReply, fakeHttp } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { llamaCppRouter } from '../engines/llama-cpp-router.ts';
import { HttpFailure } from '../kit/http.ts';
import { askEngine } from './ask.ts';
import { fetchModelPages } from './fetch-model-pages.ts';

const settings = {
  name: 'router',
  url: 'http://gpu:8080',
  kind: undefined,
  runtime: undefined,
  key: 'secret',
  metrics: undefined,
};
const limits = { timeoutMs: 1_000, maxPageBytes: 1 << 20 };
const page = fixture('engine-metrics', 'llamacpp-v0.4.0-80fb11a-router-metrics-model.prom');
const list = (state: 'before' | 'loaded'): FakeReply => ({
  body: fixture('engine-metrics', `llamacpp-v0.4.0-80fb11a-router-v1-models-${state}.json`),
});
const PAGE = '/metrics?autoload=false&model=';

async function fetched(replies: Parameters<typeof byPath>[0]) {
  const http = fakeHttp(byPath(replies));
  const { signal } = new AbortController();
  const ask = askEngine(http, settings, limits, signal);
  const answer = await fetchModelPages({ http, ask, limits }, settings, llamaCppRouter, signal);
  const text =
    'page' in answer.fetched ? new TextDecoder().decode(answer.fetched.page.bytes) : answer.fetched.failure;
  return { ...answer, text, asked: http.asked.map(({ path }) => path) };
}

test('of the recorded router only the loaded model is asked, and in words that load nothing', async () => {
  const {
    text,
    asked,
    list: read,
  } = await fetched({
    '/v1/models': list('loaded'),
    [`${PAGE}tiny-q8_0`]: { body: page },
  });
  expect(asked).toEqual(['/v1/models', `${PAGE}tiny-q8_0`]);
  expect(text).toContain('llamacpp:prompt_tokens_total{model="tiny-q8_0"} 13\n');
  expect(read?.models.map(({ id, loaded }) => [id, loaded])).toEqual([
    ['tiny-f16', false],
    ['tiny-q8_0', true],
  ]);
});

test('with no model in memory nothing is asked, and the page is there and says nothing', async () => {
  const { text, asked } = await fetched({ '/v1/models': list('before') });
  expect(asked).toEqual(['/v1/models']);
  expect(text).toBe('# no model is loaded\n');
});

test('a model that went away since the list is left out', async () => {
  const { text } = await fetched({
    '/v1/models': list('loaded'),
    [`${PAGE}tiny-q8_0`]: { status: 400, body: '{"error":{"message":"model is not loaded"}}' },
  });
  expect(text).toBe('# no model is loaded\n');
});

test('a page that fails fails the scrape: without it every count would seem to fall', async () => {
  const both = '{"data":[{"id":"a","status":{"value":"loaded"}},{"id":"b c","status":{"value":"loaded"}}]}';
  const { text, asked } = await fetched({
    '/v1/models': both,
    [`${PAGE}a`]: { body: page },
    [`${PAGE}b%20c`]: { status: 501 },
  });
  expect(asked).toContain(`${PAGE}b%20c`);
  expect(text).toMatchObject({ cause: 'http-status', reason: expect.stringContaining('501') });
});

test('a malformed page of one model comes as it is, so that the reader can say where it is wrong', async () => {
  const { text } = await fetched({ '/v1/models': list('loaded'), [`${PAGE}tiny-q8_0`]: 'llamacpp:x none\n' });
  expect(text).toBe('llamacpp:x none\n');
});

test.each([
  ['answers 401', { status: 401 }, 'answered 401'],
  ['does not answer', undefined, 'answered 404'],
])('a list that %s is a failed scrape', async (_, reply, reason) => {
  const { text } = await fetched(reply === undefined ? {} : { '/v1/models': reply });
  expect(text).toMatchObject({ reason: expect.stringContaining(reason) });
});

test('an engine that is gone is a failed scrape', async () => {
  const http = fakeHttp(() => new HttpFailure('refused', 'connect ECONNREFUSED'));
  const { signal } = new AbortController();
  const deps = { http, ask: askEngine(http, settings, limits, signal), limits };
  expect(await fetchModelPages(deps, settings, llamaCppRouter, signal)).toMatchObject({
    fetched: { failure: { cause: 'refused' } },
  });
});

const loaded = (...ids: readonly string[]) =>
  JSON.stringify({ data: ids.map((id) => ({ id, status: { value: 'loaded' } })) });

test('the pages together are held to the size of one', async () => {
  const half = `# ${'x'.repeat(limits.maxPageBytes * 0.6)}\nllamacpp:x 1\n`;
  const { text } = await fetched({
    '/v1/models': loaded('a', 'b'),
    [`${PAGE}a`]: half,
    [`${PAGE}b`]: half,
  });
  expect(text).toMatchObject({ cause: 'too-large' });
});

test('a router that claims more loaded models than a round has time for is a failed scrape', async () => {
  const ids = Array.from({ length: 65 }, (_, at) => `m${at}`);
  const { text, asked } = await fetched({ '/v1/models': loaded(...ids) });
  expect(asked).toEqual(['/v1/models']);
  expect(text).toMatchObject({ cause: 'too-large', reason: expect.stringContaining('65 models in memory') });
});
