import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SIM_KINDS, SimServers } from '../../../test/kit/sim-servers.ts';
import { systemClock } from '../../kit/clock.ts';

const servers = new SimServers();
beforeAll(() => servers.startEachKind());
afterAll(() => servers.stop());
const urlOf = (kind: string): string => servers.urlOf(kind);

/** Ids, times and measured figures replaced, so that the rest can be compared whole. */
function settled(text: string): string {
  return text
    .replace(/"id":"(chatcmpl-|cmpl-)?[0-9a-f]+"/g, '"id":"$1ID"')
    .replace(/"created":\d+/g, '"created":0')
    .replace(/"timings":\{[^}]*\}/g, '"timings":{}');
}

function events(text: string): string[] {
  expect(text.endsWith('\n\n')).toBe(true);
  return settled(text)
    .slice(0, -2)
    .split('\n\n')
    .map((event) => event.replace(/^data: /, ''));
}

/** The choices, delta for delta, without what all chunks share. */
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  vllm: [
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"prompt_token_ids":null}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"How"},"logprobs":null,"finish_reason":null,"token_ids":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":" clear."},"logprobs":null,"finish_reason":"length","stop_reason":null,"token_ids":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[],"usage":{"prompt_tokens":9,"total_tokens":11,"completion_tokens":2}}',
    '[DONE]',
  ],
  sglang: [
    '{"id":"ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning_content":null},"logprobs":null,"finish_reason":null,"matched_stop":null}]}',
    '{"id":"ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"How","reasoning_content":null},"logprobs":null,"finish_reason":null,"matched_stop":null}]}',
    '{"id":"ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":" clear.","reasoning_content":null},"logprobs":null,"finish_reason":null,"matched_stop":null}]}',
    '{"id":"ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"reasoning_content":null},"logprobs":null,"finish_reason":"length","matched_stop":null}]}',
    '{"id":"ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[],"usage":{"prompt_tokens":9,"total_tokens":11,"completion_tokens":2,"prompt_tokens_details":null}}',
    '[DONE]',
  ],
  trtllm: [
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant"}}]} ',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"How","reasoning_content":""},"avg_decoded_tokens_per_iter":1}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":" clear.","reasoning_content":""},"finish_reason":"length","avg_decoded_tokens_per_iter":1}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[],"usage":{"prompt_tokens":9,"total_tokens":11,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":0}}}',
    '[DONE]',
  ],
  'llama-cpp': [
    '{"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}],"created":0,"id":"chatcmpl-ID","model":"m","system_fingerprint":"b1-80fb11a","object":"chat.completion.chunk"}',
    '{"choices":[{"finish_reason":null,"index":0,"delta":{"content":"How"}}],"created":0,"id":"chatcmpl-ID","model":"m","system_fingerprint":"b1-80fb11a","object":"chat.completion.chunk"}',
    '{"choices":[{"finish_reason":null,"index":0,"delta":{"content":" clear."}}],"created":0,"id":"chatcmpl-ID","model":"m","system_fingerprint":"b1-80fb11a","object":"chat.completion.chunk"}',
    '{"choices":[{"finish_reason":"length","index":0,"delta":{}}],"created":0,"id":"chatcmpl-ID","model":"m","system_fingerprint":"b1-80fb11a","object":"chat.completion.chunk"}',
    '{"choices":[],"created":0,"id":"chatcmpl-ID","model":"m","system_fingerprint":"b1-80fb11a","object":"chat.completion.chunk","usage":{"completion_tokens":2,"prompt_tokens":9,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":0}},"timings":{}}',
    '[DONE]',
  ],
  strata: [
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":"How"},"finish_reason":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{"content":" clear."},"finish_reason":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11,"prompt_tokens_details":{"cached_tokens":0}},"timings":{}}',
    '[DONE]',
  ],
  ollama: [
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"How"},"finish_reason":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"content":" clear."},"finish_reason":null}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{},"finish_reason":"length"}]}',
    '{"id":"chatcmpl-ID","object":"chat.completion.chunk","created":0,"model":"m","system_fingerprint":"fp_ollama","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}',
    '[DONE]',
  ],
};

test.each(SIM_KINDS)('%s streams its own chunks in its own order', async (kind) => {
  const body = { ...HELLO, stream: true, max_tokens: 2, stream_options: { include_usage: true } };
  const response = await post(`${urlOf(kind)}${CHAT}`, body);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(events(await response.text())).toEqual(STREAMS[kind]);
});

test.each([
  ['vllm', false],
  ['sglang', false],
  ['trtllm', false],
  ['llama-cpp', false],
  ['strata', true],
  ['ollama', false],
])('%s says usage in a stream unasked: %s', async (kind, expected) => {
  const text = await (await post(`${urlOf(kind)}${CHAT}`, { ...HELLO, stream: true, max_tokens: 2 })).text();
  expect(/"usage":\{/.test(text)).toBe(expected);
  expect(text.includes('"timings"')).toBe(kind === 'strata' || kind === 'llama-cpp');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('an answer that ends by itself ends with an empty text in vllm, and with an empty finish chunk in sglang', async () => {
  const body = { ...HELLO, stream: true };
  const vllm = events(await (await post(`${urlOf('vllm')}${CHAT}`, body)).text());
  expect(vllm.at(-2)).toContain('"delta":{"content":""},"logprobs":null,"finish_reason":"stop"');
  const sglang = events(await (await post(`${urlOf('sglang')}${CHAT}`, body)).text());
  expect(sglang.at(-2)).toContain('"finish_reason":"stop","matched_stop":151645');
});

test.each(['vllm', 'sglang', 'trtllm', 'llama-cpp', 'ollama'])(
  '%s completes texts, streamed and whole',
  async (kind) => {
    const body = { model: 'm', prompt: 'The capital of France is', max_tokens: 3 };
    const whole = (await (await post(`${urlOf(kind)}/v1/completions`, body)).json()) as {
      choices: { text: string; finish_reason: string }[];
      usage: { completion_tokens: number };
    };
    expect(whole.choices[0]?.finish_reason).toBe('length');
    expect(whole.usage.completion_tokens).toBe(3);
    const response = await post(`${urlOf(kind)}/v1/completions`, { ...body, stream: true });
    const chunks = events(await response.text());
    expect(chunks.at(-1)).toBe('[DONE]');
    const text = chunks
      .slice(0, -1)
      .map((chunk) => (JSON.parse(chunk) as typeof whole).choices[0]?.text ?? '')
      .join('');
    expect(text).toBe(whole.choices[0]?.text);
  },
);

test('llama-cpp takes a limit above its context and stops where the context does', async () => {
  const body = { ...HELLO, max_tokens: 100_000 };
  const answer = (await (await post(`${urlOf('llama-cpp')}${CHAT}`, body)).json()) as {
    choices: { finish_reason: string }[];
  };
  expect(answer.choices[0]?.finish_reason).toBe('stop');
});

test.each([
  ['vllm', '/health', 200, ''],
  ['vllm', '/version', 200, '{"version":"0.26.0"}'],
  ['sglang', '/health', 200, ''],
  ['trtllm', '/version', 200, '{"version":"1.3.0"}'],
  ['llama-cpp', '/health', 200, '{"status":"ok"}'],
  ['ollama', '/', 200, 'Ollama is running'],
  ['ollama', '/api/version', 200, '{"version":"0.12.6"}'],
])('%s says at %s who and how it is', async (kind, path, status, text) => {
  const response = await fetch(`${urlOf(kind)}${path}`);
  expect([response.status, await response.text()]).toEqual([status, text]);
});

test.each([
  ['vllm', 'uvicorn'],
  ['sglang', 'uvicorn'],
  ['trtllm', 'uvicorn'],
  ['llama-cpp', 'llama.cpp'],
  ['strata', 'BaseHTTP/0.6 Python/3.12.3'],
  ['ollama', null],
])('%s carries the Server header %s', async (kind, server) => {
  const response = await fetch(`${urlOf(kind)}/v1/models`);
  expect(response.headers.get('server')).toBe(server);
  await response.text();
});

test("health of sglang takes a second of the engine's time", async () => {
  const sim = await servers.start({ kind: 'sglang', speed: 5 });
  const from = systemClock.now();
  expect((await fetch(`${sim.url}/health`)).status).toBe(200);
  expect(systemClock.now() - from).toBeGreaterThan(190);
});

test('strata shows its figures as JSON unless text is asked for by name', async () => {
  const url = `${urlOf('strata')}/metrics`;
  const typeOf = async (accept: string, query = ''): Promise<string | null> => {
    const response = await fetch(`${url}${query}`, { headers: { accept } });
    await response.text();
    return response.headers.get('content-type');
  };
  expect(await typeOf('*/*')).toBe('application/json');
  expect(await typeOf('application/json')).toBe('application/json');
  expect(await typeOf('text/plain')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await typeOf('*/*', '?format=prometheus')).toBe('text/plain; version=0.0.4; charset=utf-8');
  const form = await (await fetch(`${url}/prometheus`)).text();
  expect(form).toContain('llamacpp:requests_processing 0\n');
  expect(form).toContain('strata:model_loaded 1\n');
});

test('strata says that it is alive while a client waits in its queue', async () => {
  const { url } = await servers.start({ kind: 'strata', speed: 200 });
  const leave = new AbortController();
  const long = { ...HELLO, ignore_eos: true, max_tokens: 8000 };
  const first = post(`${url}${CHAT}`, long, {}, leave.signal).catch(() => 'left');
  const second = await post(`${url}${CHAT}`, { ...HELLO, stream: true, max_tokens: 1 });
  const reader = second.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('keep-alive')) text += (await reader?.read())?.value ?? '';
  expect(text).toMatch(/^data: \{.*"role":"assistant".*\n\n: keep-alive\n\n$/);
  leave.abort();
  await first;
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value ?? '';
});

test('trtllm has records of its iterations at /metrics, and none the second time', async () => {
  const sim = await servers.start({ kind: 'trtllm' });
  await (await post(`${sim.url}${CHAT}`, { ...HELLO, max_tokens: 4 })).text();
  expect(await (await fetch(`${sim.url}/metrics`)).json()).toHaveLength(4);
  expect(await (await fetch(`${sim.url}/metrics`)).json()).toEqual([]);
});

test.each([
  ['vllm', ['/v1/models', CHAT], ['/health', '/metrics', '/version']],
  ['sglang', ['/v1/models', '/get_server_info', CHAT], ['/metrics']],
  ['llama-cpp', ['/v1/models', '/metrics', '/props', '/nope', CHAT], ['/health', '/v1/health']],
  ['strata', ['/v1/models', '/metrics', '/v1/status', CHAT], ['/health']],
])('%s guards %j with its key and leaves %j open', async (kind, guarded, open) => {
  const { url } = await servers.start({ kind, key: 'sk-one' });
  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
    const response =
      path === CHAT
        ? await post(`${url}${path}`, { ...HELLO, max_tokens: 1 }, headers)
        : await fetch(`${url}${path}`, { headers });
    await response.text();
    return response.status;
  };
  for (const path of guarded) {
    expect([path, await statusOf(path, {})]).toEqual([path, 401]);
    expect([path, await statusOf(path, { authorization: 'Bearer wrong' })]).toEqual([path, 401]);
    expect([path, await statusOf(path, { authorization: 'Bearer sk-one' })]).not.toEqual([path, 401]);
  }
  for (const path of open) expect([path, await statusOf(path, {})]).toEqual([path, 200]);
});

test('llama-cpp lists slots and props', async () => {
  const url = urlOf('llama-cpp');
  expect(await (await fetch(`${url}/slots`)).json()).toHaveLength(4);
  expect(await (await fetch(`${url}/props`)).json()).toMatchObject({
    total_slots: 4,
    build_info: 'b1-80fb11a',
    default_generation_settings: { n_ctx: 8192 },
  });
});

test('embeddings of equal texts are equal', async () => {
  for (const kind of ['vllm', 'llama-cpp', 'ollama']) {
    const body = { model: 'm', input: ['one', 'two', 'one'] };
    const answer = (await (await post(`${urlOf(kind)}/v1/embeddings`, body)).json()) as {
      data: { embedding: number[] }[];
      usage: { prompt_tokens: number };
    };
    const [one, two, again] = answer.data.map(({ embedding }) => embedding);
    expect(one).toEqual(again);
    expect(one).not.toEqual(two);
    expect(answer.usage.prompt_tokens).toBe(6);
  }
});
