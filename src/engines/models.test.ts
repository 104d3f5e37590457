import { expect, test } from 'vitest';
import { pageText } from '../../test/kit/engine-pages.ts';
import { loadedModelsOf, MAX_ALIASES, MAX_MODELS, modelsOf } from './models.ts';

const listed = (...data: readonly unknown[]): string => listOf(data);
const listOf = (data: readonly unknown[]): string => JSON.stringify({ object: 'list', data });
const bare = { aliases: [], maxModelTokens: undefined, loaded: undefined, created: undefined };

test('vLLM lists its model with its context, and each LoRA adapter', () => {
  const body = listed(
    { id: 'qwen3-8b', created: 1_796_044_500, owned_by: 'vllm', max_model_len: 40_960, parent: null },
    { id: 'sql-lora', created: 1_796_044_500, owned_by: 'vllm', max_model_len: null, parent: 'qwen3-8b' },
  );
  expect(modelsOf('vllm', body).models).toEqual([
    { ...bare, id: 'qwen3-8b', maxModelTokens: 40_960, created: 1_796_044_500 },
    { ...bare, id: 'sql-lora', created: 1_796_044_500 },
  ]);
});

test('llama-server, as captured: its alias is its name, its context that of a slot', () => {
  const body = pageText('llamacpp-v0.4.0-80fb11a-models-idle.json') ?? '';
  expect(modelsOf('llama-cpp', body).models).toMatchObject([
    { aliases: [], maxModelTokens: 1024, loaded: undefined },
  ]);
});

test('llama-server in router mode, as captured, says what is loaded', () => {
  const state = (file: string) =>
    modelsOf('llama-cpp', pageText(`llamacpp-v0.4.0-80fb11a-router-v1-models-${file}.json`) ?? '').models.map(
      ({ id, loaded }) => [id, loaded],
    );
  expect(state('before')).toEqual([
    ['tiny-f16', false],
    ['tiny-q8_0', false],
  ]);
  expect(state('loaded')).toEqual([
    ['tiny-f16', false],
    ['tiny-q8_0', true],
  ]);
});

test("Strata's aliases are entries of their own and become one model's", () => {
  const body = listed(
    { id: 'qwen', status: { value: 'loaded' }, meta: { n_ctx: 32_768 } },
    { id: 'gpt-4', alias_of: 'qwen', status: { value: 'loaded' } },
  );
  expect(modelsOf('strata', body).models).toEqual([
    { ...bare, id: 'qwen', aliases: ['gpt-4'], maxModelTokens: 32_768, loaded: true },
  ]);
});

test('Ollama takes a name without its latest tag', () => {
  const body = listed({ id: 'llama3.2:latest' }, { id: 'qwen:7b' });
  expect(modelsOf('ollama', body).models.map(({ aliases }) => aliases)).toEqual([['llama3.2'], []]);
});

test.each([
  '{"object":"list","data":null}',
  '{"error":"no"}',
  '[]',
  'null',
  '<html>',
  '',
  '{"data":[null,7,{"id":""},{"id":5}]}',
])('%s lists no models', (body) => {
  expect(modelsOf('ollama', body)).toEqual({ models: [], leftOut: 0 });
});

test("Ollama's /api/ps names what is in memory", () => {
  expect(
    loadedModelsOf('{"models":[{"name":"mistral:latest","model":"mistral:latest"},{"name":"b:1"}]}'),
  ).toEqual(['mistral:latest', 'b:1']);
  expect(loadedModelsOf('{"models":[]}')).toEqual([]);
  const running = '{"running":[{"model":"a","state":"ready"},{"model":"b","state":"starting"}]}';
  expect(loadedModelsOf(running)).toEqual(['a']);
  expect(loadedModelsOf('404 page not found')).toEqual([]);
});

test('of a list that repeats an id the first entry stands', () => {
  const body = listed({ id: 'm', max_model_len: 1 }, { id: 'm', max_model_len: 2 });
  expect(modelsOf('vllm', body)).toEqual({ models: [{ ...bare, id: 'm', maxModelTokens: 1 }], leftOut: 0 });
});

test('a list of more models than any engine has is cut, and says by how many', () => {
  const ids = Array.from({ length: MAX_MODELS + 5 }, (_, at) => ({ id: `m${at}` }));
  const { models, leftOut } = modelsOf('vllm', listOf(ids));
  expect([models.length, models.at(-1)?.id, leftOut]).toEqual([MAX_MODELS, `m${MAX_MODELS - 1}`, 5]);
});

test('so are aliases, over all models', () => {
  const aliases = (of: string) => Array.from({ length: MAX_ALIASES - 1 }, (_, at) => `${of}${at}`);
  const { models, leftOut } = modelsOf(
    'vllm',
    listed({ id: 'a', aliases: aliases('a') }, { id: 'b', aliases: aliases('b') }),
  );
  expect(models.map((model) => model.aliases.length)).toEqual([MAX_ALIASES - 1, 1]);
  expect(leftOut).toBe(MAX_ALIASES - 2);
});

// Were each entry compared with, or copied into, all before it, these lists would take minutes.
test.each<[what: string, list: () => readonly unknown[]]>([
  [
    '150,000 aliases of one model',
    () => [{ id: 'a' }, ...repeated(150_000, (at) => ({ id: `x${at}`, alias_of: 'a' }))],
  ],
  [
    'one model 100,000 times, with 100,000 aliases',
    () => [
      ...repeated(100_000, (at) => ({ id: `x${at}`, alias_of: 'a' })),
      ...repeated(100_000, () => ({ id: 'a' })),
    ],
  ],
  ['150,000 models', () => repeated(150_000, (at) => ({ id: `x${at}` }))],
])('a list of %s is read in one pass', (_, list) => {
  expect(modelsOf('strata', listOf(list())).leftOut).toBeGreaterThan(0);
});

function repeated<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
