import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { eventually, startFleet, type TestFleet } from './fleet.ts';

let fleet: TestFleet;
let client: OpenAI;

beforeAll(async () => {
  fleet = await startFleet(
    [
      { kind: 'vllm', model: 'llama', ranks: 2 },
      { kind: 'sglang', model: 'llama' },
      { kind: 'llama-cpp', model: 'home' },
    ],
    { aliases: { 'gpt-4o': 'llama' } },
  );
  client = new OpenAI({ baseURL: `${fleet.url}/v1`, apiKey: 'unused', maxRetries: 0 });
  await eventually(async () => {
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['llama', 'home', 'gpt-4o']));
  });
});

afterAll(() => fleet.stop());

test('lists what the engines serve once each, aliases included', async () => {
  const ids = (await client.models.list()).data.map(({ id }) => id);
  expect([...ids].sort()).toEqual(['gpt-4o', 'home', 'llama']);
});

test('answers a chat', async () => {
  const { data, response } = await client.chat.completions
    .create({ model: 'llama', max_tokens: 8, messages: [{ role: 'user', content: 'Hello there' }] })
    .withResponse();
  expect(data.object).toBe('chat.completion');
  expect(data.choices[0]?.message.content).toMatch(/\S/);
  expect(data.usage?.completion_tokens).toBeGreaterThan(0);
  expect(response.headers.get('x-penstock-engine')).toMatch(/^(vllm|sglang)-/);
  expect(response.headers.get('x-request-id')).toMatch(/\S/);
});

test('answers a chat under an alias', async () => {
  const answer = await client.chat.completions.create({
    model: 'gpt-4o',
    max_tokens: 4,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  expect(answer.choices).toHaveLength(1);
});

test.each(['llama', 'home'])(
  'streams a chat of %s to its end, with usage where it was asked for',
  async (model) => {
    const stream = await client.chat.completions.create({
      model,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 12,
      messages: [{ role: 'user', content: 'Tell me something about rivers' }],
    });
    let text = '';
    let finish: string | null | undefined;
    let completionTokens: number | undefined;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finish = chunk.choices[0]?.finish_reason ?? finish;
      completionTokens = chunk.usage?.completion_tokens ?? completionTokens;
    }
    expect(text).toMatch(/\S/);
    expect(['stop', 'length']).toContain(finish);
    expect(completionTokens).toBeGreaterThan(0);
  },
);

test('completes a prompt, streamed and not', async () => {
  const whole = await client.completions.create({ model: 'llama', prompt: 'Once upon', max_tokens: 6 });
  expect(whole.choices[0]?.text).toMatch(/\S/);
  let text = '';
  const stream = await client.completions.create({
    model: 'llama',
    prompt: 'Once upon',
    max_tokens: 6,
    stream: true,
  });
  for await (const chunk of stream) text += chunk.choices[0]?.text ?? '';
  expect(text).toMatch(/\S/);
});

test('a model nobody serves is a NotFoundError that names those there are', async () => {
  const asked = client.chat.completions.create({ model: 'nope', messages: [{ role: 'user', content: 'x' }] });
  const error = await asked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  expect(error).toMatchObject({
    status: 404,
    code: 'model_not_found',
    message: expect.stringContaining('llama'),
  });
});

test("an engine's own 400 comes through as it said it", async () => {
  const asked = client.chat.completions.create({
    model: 'llama',
    max_tokens: 10_000_000,
    messages: [{ role: 'user', content: 'x' }],
  });
  const error = await asked.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(OpenAI.BadRequestError);
  expect((error as InstanceType<typeof OpenAI.BadRequestError>).headers?.get('x-penstock-error')).toBeNull();
});

test('a body that is not what it should be is a BadRequestError with a sentence for a person', async () => {
  const asked = client.chat.completions.create({
    // A request that forgot its model, as hand-written clients do.
    ...({ messages: [] } as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming),
  });
  const error = await asked.catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 400, code: 'invalid_body', param: 'model' });
});

test('a client that stops reading a stream leaves nothing in flight', async () => {
  const stream = await client.chat.completions.create({
    model: 'llama',
    stream: true,
    max_tokens: 2000,
    messages: [{ role: 'user', content: 'A long story please' }],
  });
  for await (const chunk of stream) {
    if (chunk.choices[0]?.delta.content) break;
  }
  await eventually(async () => {
    const text = await (await fetch(`${fleet.url}/metrics/prometheus`)).text();
    const inFlight = [...text.matchAll(/^penstock:engine_in_flight\{[^}]*\} (\S+)$/gm)].map(
      ([, value]) => value,
    );
    expect(inFlight).toEqual(['0', '0', '0']);
    const running = [...text.matchAll(/^vllm:num_requests_running\{[^}]*\} (\S+)$/gm)].map(([, n]) =>
      Number(n),
    );
    expect(running.every((value) => value === 0)).toBe(true);
  });
});
