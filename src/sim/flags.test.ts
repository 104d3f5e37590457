import { afterAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SIM_KINDS, SimServers } from '../../test/kit/sim-servers.ts';
import { systemClock } from '../kit/clock.ts';
import { UsageError } from '../kit/usage-error.ts';

const servers = new SimServers();
afterAll(() => servers.stop());

interface Chunk {
  readonly choices?: readonly {
    readonly delta: { readonly content?: string | null };
    readonly finish_reason: unknown;
  }[];
  readonly usage?: { readonly completion_tokens: number };
  readonly error?: { readonly message: string };
}

/** The chunks of a stream that ended well or badly. */
async function chunksOf(response: Response): Promise<readonly Chunk[]> {
  return (await response.text())
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)) as Chunk);
}

const contentOf = ({ choices }: Chunk): string => choices?.[0]?.delta.content ?? '';

test.each(SIM_KINDS)(
  '%s sends the tokens of one step in one chunk when drafts are accepted',
  async (kind) => {
    const ask = { ...HELLO, stream: true, max_tokens: 21, stream_options: { include_usage: true } };
    const plain = await servers.start({ kind });
    const drafting = await servers.start({ kind, speculation: { draftTokens: 4, acceptance: 1 } });
    const one = await chunksOf(await post(`${plain.url}${CHAT}`, ask));
    const several = await chunksOf(await post(`${drafting.url}${CHAT}`, ask));
    const texts = several.map(contentOf).filter((text) => text !== '');
    expect(texts.map((text) => text.trim().split(' ').length)).toEqual([1, 5, 5, 5, 5]);
    expect(texts.join('')).toBe(one.map(contentOf).join(''));
    expect(several.flatMap(({ usage }) => (usage == null ? [] : [usage.completion_tokens])).at(-1)).toBe(21);
  },
);

test.each(SIM_KINDS)('%s fails on every request at an error rate of 1, streamed or not', async (kind) => {
  const { url } = await servers.start({ kind, faults: { error: 1, abort: 0 } });
  const whole = await post(`${url}${CHAT}`, HELLO);
  // TensorRT-LLM answers 400 for faults of its own.
  expect(whole.status).toBe(kind === 'trtllm' ? 400 : kind === 'strata' ? 503 : 500);
  expect(await whole.text()).toContain('the simulated engine failed on this request');

  const streamed = await post(`${url}${CHAT}`, { ...HELLO, stream: true });
  const finishes = await chunksOf(streamed)
    .then((chunks) => chunks.flatMap(({ choices }) => choices?.map((choice) => choice.finish_reason) ?? []))
    .catch(() => 'cut');
  if (finishes !== 'cut') expect(finishes).not.toContain('stop');
});

test.each(SIM_KINDS)('%s ends an answer it gives up as aborted, after some of it', async (kind) => {
  const { url } = await servers.start({ kind, faults: { error: 0, abort: 1 } });
  const whole = (await (await post(`${url}${CHAT}`, HELLO)).json()) as {
    choices: { finish_reason: string; message: { content: string } }[];
  };
  expect(whole.choices[0]).toMatchObject({ finish_reason: 'abort' });
  expect(whole.choices[0]?.message.content).not.toBe('');
  const streamed = await chunksOf(await post(`${url}${CHAT}`, { ...HELLO, stream: true }));
  const finishes = streamed.flatMap(({ choices }) => choices?.map((choice) => choice.finish_reason) ?? []);
  expect(finishes.filter((finish) => finish != null)).toEqual(['abort']);
  expect(streamed.map(contentOf).join('')).not.toBe('');
});

test('vllm serves adapters as further models, and says on its page who uses them', async () => {
  const { url } = await servers.start({ kind: 'vllm', adapters: ['poet', 'judge'] });
  const { data } = (await (await fetch(`${url}/v1/models`)).json()) as { data: object[] };
  expect(data).toMatchObject([
    { id: 'm', parent: null },
    { id: 'poet', parent: 'm', max_model_len: null },
    { id: 'judge', parent: 'm', max_model_len: null },
  ]);
  const answer = (await (await post(`${url}${CHAT}`, { ...HELLO, model: 'poet' })).json()) as object;
  expect(answer).toMatchObject({ model: 'poet' });
  expect((await post(`${url}${CHAT}`, { ...HELLO, model: 'clown' })).status).toBe(404);
  const page = await (await fetch(`${url}/metrics`)).text();
  const lines = page.split('\n').filter((line) => line.startsWith('vllm:lora_requests_info{'));
  // Nobody any more, and, still there, the one before.
  expect(lines.some((line) => line.includes('running_lora_adapters="poet"'))).toBe(true);
  expect(lines.some((line) => line.includes('running_lora_adapters=""'))).toBe(true);
});

test('what one adapter computed is no prefix of the same prompt for another', async () => {
  const { url } = await servers.start({ kind: 'llama-cpp' });
  const lora = await servers.start({ kind: 'trtllm', adapters: ['poet'] });
  const long = { ...HELLO, messages: [{ role: 'user', content: 'Explain the dam once more. '.repeat(30) }] };
  const cachedOf = async (at: string, model: string): Promise<number> => {
    const answer = (await (await post(`${at}${CHAT}`, { ...long, model, max_tokens: 2 })).json()) as {
      usage: { prompt_tokens_details: { cached_tokens: number } };
    };
    return answer.usage.prompt_tokens_details.cached_tokens;
  };
  expect(await cachedOf(url, 'm')).toBe(0);
  expect(await cachedOf(url, 'm')).toBeGreaterThan(0);
  expect(await cachedOf(lora.url, 'm')).toBe(0);
  expect(await cachedOf(lora.url, 'poet')).toBe(0);
  expect(await cachedOf(lora.url, 'poet')).toBeGreaterThan(0);
});

/** Asks until the answer is this; a refused connection is 0. */
async function until(url: string, status: number): Promise<readonly number[]> {
  const seen = new Set<number>();
  const endMs = systemClock.now() + 8000;
  for (;;) {
    const now = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    seen.add(now);
    if (now === status || systemClock.now() > endMs) return [...seen];
    await systemClock.sleep(5);
  }
}

test.each([
  ['vllm', '/health', [0, 200]],
  ['strata', '/health', [0, 200]],
  ['llama-cpp', '/v1/models', [503, 200]],
  ['sglang', '/health', [0, 503, 200]],
  ['sglang', '/v1/models', [0, 200]],
])('%s that still loads answers %s so: %j', async (kind, path, statuses) => {
  // 30 s of its own time.
  const { url } = await servers.start({ kind, slowStartMs: 30_000, speed: 50 });
  expect(await until(`${url}${path}`, 200)).toEqual(statuses);
});

test('ollama lists its model while it loads, and answers when it is there', async () => {
  const { url } = await servers.start({ kind: 'ollama', slowStartMs: 30_000, speed: 100 });
  expect((await fetch(`${url}/v1/models`)).status).toBe(200);
  const startMs = systemClock.now();
  const answer = await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 1 });
  expect(answer.status).toBe(200);
  expect(systemClock.now() - startMs).toBeGreaterThan(200);
});

test.each(['vllm', 'ollama', 'llama-cpp'])('%s can be stopped while it loads', async (kind) => {
  const sim = await servers.start({ kind, slowStartMs: 60_000, speed: 1 });
  await sim.stop();
  expect(await fetch(sim.url).catch(() => 'refused')).toBe('refused');
});

test('two engines alike on free ports give different ids', async () => {
  const idOf = async (): Promise<string> => {
    const { url } = await servers.start({ kind: 'vllm', seed: 5 });
    return ((await (await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 1 })).json()) as { id: string }).id;
  };
  expect(await idOf()).not.toBe(await idOf());
});

test('an engine with a small cache has a short context, and one with slots splits it', async () => {
  const contextOf = async (kind: string): Promise<unknown> => {
    const { url } = await servers.start({ kind, kvTokens: 4096, maxNumSeqs: 2 });
    const tooLong = { ...HELLO, messages: [{ role: 'user', content: 'one two '.repeat(2500) }] };
    return (await post(`${url}${CHAT}`, tooLong)).text();
  };
  expect(await contextOf('vllm')).toContain('context length is only 4096 tokens');
  expect(await contextOf('llama-cpp')).toContain('the available context size (2048 tokens)');
});

test.each([
  [{ kind: 'llama-cpp', adapters: ['poet'] }, '--lora: llama-cpp has no adapters in its list of models'],
  [{ kind: 'sglang', kvCacheMetrics: 1 }, '--kv-cache-metrics: sglang does not measure'],
  [{ kind: 'llama-cpp', kvTokens: 40 }, '--kv-tokens: 40 is too small for llama-cpp; it needs at least 64'],
])('%j is refused with a reason', async (settings, message) => {
  const refused = servers.start(settings);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
