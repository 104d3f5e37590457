import { expect, test } from 'vitest';

import { profileOf } from '../engines/index.ts';
import { type JudgedAnswer, outcomeOf } from './answer-outcome.ts';

const answer: JudgedAnswer = { status: 200, says: '', ownKey: true, model: 'llama', misleading: [] };
const kindOf = (over: Partial<JudgedAnswer>) => outcomeOf({ ...answer, ...over }).kind;

test.each([
  [200, 'fine'],
  [201, 'fine'],
  [301, 'fine'],
  [400, 'client-error'],
  [401, 'key-refused'],
  [403, 'key-refused'],
  [404, 'client-error'],
  [405, 'client-error'],
  [413, 'client-error'],
  [422, 'client-error'],
  [429, 'busy'],
  [500, 'server-error'],
  [501, 'client-error'],
  [502, 'server-error'],
  [503, 'busy'],
  [504, 'server-error'],
] as const)('%d is %s', (status, kind) => {
  expect(kindOf({ status })).toBe(kind);
});

test('without a key of ours a 403 is about something else, a 401 is not', () => {
  expect([kindOf({ status: 403, ownKey: false }), kindOf({ status: 401, ownKey: false })]).toEqual([
    'client-error',
    'key-refused',
  ]);
});

test.each([
  [
    'vLLM',
    '{"error":{"message":"The model `llama` does not exist.","type":"NotFoundError","param":"model","code":404}}',
  ],
  [
    'Ollama',
    '{"error":{"message":"model \'llama\' not found","type":"not_found_error","param":null,"code":null}}',
  ],
  ['a named code', '{"error":{"message":"?","code":"model_not_found"}}'],
  ['an error text', '{"error":"model \'llama\' not found"}'],
])('a 404 that names the model is that the model is gone: %s', (_who, says) => {
  expect(kindOf({ status: 404, says })).toBe('model-gone');
});

test.each([
  ['vLLM', '{"detail":"Not Found"}'],
  ['llama.cpp', '{"error":{"message":"File Not Found","type":"not_found_error","code":404}}'],
  ['about another model', '{"error":{"message":"The model `x` does not exist."}}'],
  ['nothing', ''],
])('any other 404 is about the path: %s', (_who, says) => {
  expect(kindOf({ status: 404, says })).toBe('client-error');
});

test.each([
  ['malformed JSON', '[json.exception.parse_error.101] parse error at line 1, column 15: syntax error'],
  ['a message without its role', 'Failed to parse messages: Missing \'role\' in message: {"content":"x"}'],
  ['an image without a projector', 'image input is not supported - hint: if this is unexpected, ...'],
  ['an input too long', 'input (9001 tokens) is too large to process. increase the physical batch size'],
])('a 500 of llama.cpp for %s is the client’s', (_what, message) => {
  const misleading = profileOf('llama-cpp')?.misleading ?? [];
  const says = JSON.stringify({ error: { code: 500, message, type: 'server_error' } });
  expect(kindOf({ status: 500, says, misleading })).toBe('client-error');
  expect(kindOf({ status: 500, says })).toBe('server-error');
});

test('any other 500 of llama.cpp is its own', () => {
  const misleading = profileOf('llama-cpp')?.misleading ?? [];
  expect(
    kindOf({ status: 500, says: '{"error":{"message":"Context size has been exceeded."}}', misleading }),
  ).toBe('server-error');
});

test('a 400 of TensorRT-LLM that speaks of the device is the engine’s, any other the client’s', () => {
  const misleading = profileOf('trtllm')?.misleading ?? [];
  const fault =
    '{"object":"error","message":"[TensorRT-LLM][ERROR] CUDA runtime error in cudaMalloc","code":400}';
  expect(kindOf({ status: 400, says: fault, misleading })).toBe('server-error');
  expect(kindOf({ status: 400, says: '{"error":"Extra inputs are not permitted"}', misleading })).toBe(
    'client-error',
  );
});
