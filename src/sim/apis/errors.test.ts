import { afterAll, beforeAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SimServers } from '../../../test/kit/sim-servers.ts';

const servers = new SimServers();
beforeAll(() => servers.startEachKind());
afterAll(() => servers.stop());
const urlOf = (kind: string): string => servers.urlOf(kind);

const uvicorn405 = { detail: 'Method Not Allowed' };
const llama404 = { error: { message: 'File Not Found', type: 'not_found_error', code: 404 } };

test.each([
  ['vllm', 'GET', '/nope', 404, { detail: 'Not Found' }],
  ['vllm', 'GET', CHAT, 405, uvicorn405],
  ['sglang', 'GET', CHAT, 405, uvicorn405],
  ['trtllm', 'DELETE', CHAT, 405, uvicorn405],
  ['llama-cpp', 'GET', CHAT, 404, llama404],
  ['llama-cpp', 'GET', '/version', 404, llama404],
  ['strata', 'GET', '/nope', 404, { error: { message: 'not found' } }],
  ['strata', 'DELETE', CHAT, 501, /Unsupported method \('DELETE'\)/],
  ['ollama', 'GET', '/nope', 404, '404 page not found'],
  ['ollama', 'GET', CHAT, 405, '405 method not allowed'],
  ['ollama', 'GET', '/metrics', 404, '404 page not found'],
] as const)('%s answers %s %s with %d in its own form', async (kind, method, path, status, body) => {
  const response = await fetch(`${urlOf(kind)}${path}`, { method });
  const text = await response.text();
  expect(response.status).toBe(status);
  if (body instanceof RegExp) expect(text).toMatch(body);
  else expect(typeof body === 'string' ? text : JSON.parse(text)).toEqual(body);
  expect(response.headers.get('allow')).toBe(status === 405 && kind !== 'ollama' ? 'POST' : null);
});

const BROKEN = '{"messages": [';
const long = { ...HELLO, messages: [{ role: 'user', content: 'water '.repeat(9000).trim() }] };

test.each([
  [
    'vllm',
    BROKEN,
    400,
    {
      message:
        "1 validation error:\n  {'type': 'json_invalid', 'loc': ('body', 14), 'msg': 'JSON decode error', 'input': {}, 'ctx': {'error': 'Expecting value'}}",
      type: 'Bad Request',
      param: 'body.14',
      code: 400,
    },
  ],
  [
    'vllm',
    { model: 'm' },
    400,
    {
      message:
        "1 validation error:\n  {'type': 'missing', 'loc': ('body', 'messages'), 'msg': 'Field required', 'input': {'model': 'm'}}",
      type: 'Bad Request',
      param: 'body.messages',
      code: 400,
    },
  ],
  [
    'vllm',
    { ...HELLO, model: 'x' },
    404,
    { message: 'The model `x` does not exist.', type: 'NotFoundError', param: 'model', code: 404 },
  ],
  [
    'vllm',
    { ...long, max_tokens: 10, stream: true },
    400,
    {
      message:
        "You passed 9003 input tokens and requested 10 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 8182 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=9003)",
      type: 'BadRequestError',
      param: 'input_tokens',
      code: 400,
    },
  ],
  [
    'llama-cpp',
    BROKEN,
    500,
    {
      code: 500,
      message:
        "[json.exception.parse_error.101] parse error at line 1, column 15: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal",
      type: 'server_error',
    },
  ],
  [
    'llama-cpp',
    { model: 'm' },
    400,
    { code: 400, message: "'messages' is required", type: 'invalid_request_error' },
  ],
  ['llama-cpp', [1, 2], 400, { code: 400, message: "'messages' is required", type: 'invalid_request_error' }],
  [
    'llama-cpp',
    { messages: [{ content: 'x' }] },
    500,
    {
      code: 500,
      message: 'Failed to parse messages: Missing \'role\' in message: {"content":"x"}',
      type: 'server_error',
    },
  ],
  [
    'llama-cpp',
    { messages: [{ role: 'user' }] },
    400,
    {
      code: 400,
      message: "All non-assistant messages must contain 'content'",
      type: 'invalid_request_error',
    },
  ],
  [
    'llama-cpp',
    { ...HELLO, max_tokens: 'ten' },
    400,
    {
      code: 400,
      message: "Field 'max_tokens': [json.exception.type_error.302] type must be number, but is string",
      type: 'invalid_request_error',
    },
  ],
  [
    'llama-cpp',
    { ...HELLO, max_tokens: -5 },
    400,
    {
      code: 400,
      message: "Field 'max_tokens': Value must be between -1 <= value <= 2147483647, but got -5",
      type: 'invalid_request_error',
    },
  ],
  [
    'llama-cpp',
    { ...long, stream: true },
    400,
    {
      code: 400,
      message: 'request (9003 tokens) exceeds the available context size (8192 tokens), try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 9003,
      n_ctx: 8192,
    },
  ],
  [
    'strata',
    BROKEN,
    400,
    { type: 'invalid_request_error', message: 'Expecting value: line 1 column 15 (char 14)' },
  ],
  [
    'strata',
    {},
    400,
    { type: 'invalid_request_error', message: "the request is malformed (KeyError: 'messages')" },
  ],
  [
    'strata',
    { ...HELLO, max_tokens: 9000 },
    400,
    {
      type: 'invalid_request_error',
      message:
        'prompt (9 tokens) + max tokens (9000) exceeds the context (8192); requests are never truncated',
    },
  ],
  [
    'ollama',
    BROKEN,
    400,
    { message: 'unexpected EOF', type: 'invalid_request_error', param: null, code: null },
  ],
  [
    'ollama',
    { ...HELLO, model: 'x' },
    404,
    { message: "model 'x' not found", type: 'not_found_error', param: null, code: null },
  ],
  [
    'ollama',
    { messages: HELLO.messages },
    400,
    { message: 'model is required', type: 'invalid_request_error', param: null, code: null },
  ],
  [
    'ollama',
    { model: 'm' },
    400,
    { message: "[] is too short - 'messages'", type: 'invalid_request_error', param: null, code: null },
  ],
] as const)('%s words its errors as the real one (case %#)', async (kind, body, status, error) => {
  const response = await post(`${urlOf(kind)}${CHAT}`, body);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ error });
});

test('sglang answers errors flat, and takes any model name', async () => {
  const url = `${urlOf('sglang')}${CHAT}`;
  const malformed = (await (await post(url, BROKEN)).json()) as object;
  expect(malformed).toMatchObject({ object: 'error', type: 'Bad Request', param: null, code: 400 });
  const tooLong = await post(url, { ...long, stream: true });
  expect(tooLong.status).toBe(400);
  expect(await tooLong.json()).toMatchObject({
    message: "The input (9003 tokens) is longer than the model's context length (8192 tokens).",
  });
  const other = (await (await post(url, { ...HELLO, model: 'other', max_tokens: 1 })).json()) as object;
  expect(other).toMatchObject({ model: 'other' });
});

test('trtllm refuses fields it does not know with a bare text, and its own limits with a flat body', async () => {
  const url = `${urlOf('trtllm')}${CHAT}`;
  const unknown = await post(url, { ...HELLO, surprise: 1 });
  expect(unknown.status).toBe(400);
  expect(await unknown.json()).toEqual({
    error: expect.stringContaining("'type': 'extra_forbidden', 'loc': ('body', 'surprise')"),
  });
  const tooLong = await post(url, long);
  expect(tooLong.status).toBe(400);
  expect(await tooLong.json()).toMatchObject({ object: 'error', type: 'BadRequestError', code: 400 });
});

test('vllm wants JSON to be called JSON; llama-cpp does not care', async () => {
  const plain = { 'content-type': 'text/plain' };
  const refused = await post(`${urlOf('vllm')}${CHAT}`, HELLO, plain);
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("Only 'application/json' is allowed");
  const taken = await post(`${urlOf('llama-cpp')}${CHAT}`, { ...HELLO, max_tokens: 1 }, plain);
  expect(taken.status).toBe(200);
});
