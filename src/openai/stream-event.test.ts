import { expect, test } from 'vitest';

import { readStreamEvent } from './stream-event.ts';

const chunk = (delta: unknown, more: object = {}): string =>
  JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more });

test.each([
  ['text', chunk({ content: 'Hi' })],
  ['role together with text (Ollama)', chunk({ role: 'assistant', content: 'Hi' })],
  ['reasoning (vLLM, SGLang, llama.cpp)', chunk({ reasoning_content: 'hm' })],
  ['reasoning (vLLM >= 0.13)', chunk({ reasoning: 'hm' })],
  ['a tool call', chunk({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] })],
  ['a completion text', JSON.stringify({ choices: [{ index: 0, text: 'Hi' }] })],
  [
    'last text in the finish chunk (vLLM)',
    JSON.stringify({ choices: [{ delta: { content: '.' }, finish_reason: 'stop' }] }),
  ],
  ['Responses text', JSON.stringify({ type: 'response.output_text.delta', delta: 'Hi' })],
  [
    'Messages text',
    JSON.stringify({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'Hi' } }),
  ],
  ['Messages thinking', JSON.stringify({ type: 'content_block_delta', delta: { thinking: 'hm' } })],
])('%s is output', (_what, data) => {
  expect(readStreamEvent(data).brings).toBe('output');
});

test.each([
  ['role with empty content (vLLM)', chunk({ role: 'assistant', content: '' })],
  ['role with null content (llama.cpp)', chunk({ role: 'assistant', content: null })],
  ['role only (TensorRT-LLM)', chunk({ role: 'assistant' })],
  ['finish with an empty delta', chunk({})],
  ['no choices', JSON.stringify({ choices: [] })],
  ['an empty completion text', JSON.stringify({ choices: [{ text: '' }] })],
  ['an empty tool call list', chunk({ tool_calls: [] })],
  ['a Responses event without a delta', JSON.stringify({ type: 'response.created', response: {} })],
  ['Messages start', JSON.stringify({ type: 'message_start', message: {} })],
  ['a type that has no text', '{"type":{"toString":1,"valueOf":1}}'],
  ['an error code that has no text', '{"error":"","code":{"toString":1}}'],
  ['not JSON', 'hello'],
  ['JSON that is no object', '[1]'],
  ['empty', ''],
])('%s is quiet', (_what, data) => {
  expect(readStreamEvent(data).brings).toBe('quiet');
});

test('[DONE] is the end', () => {
  expect(readStreamEvent('[DONE]').brings).toBe('done');
});

test.each([
  ['an error object with a number (llama.cpp, vLLM)', '{"error":{"code":500,"message":"full"}}', 500],
  ['an error object with a text code', '{"error":{"code":"503","message":"full"}}', 503],
  ['an error text (Ollama)', '{"error":"model runner has stopped"}', undefined],
  ['a flat error (SGLang)', '{"object":"error","message":"full","code":503}', 503],
  ['a named code that is no status', '{"error":{"code":"context_length_exceeded"}}', undefined],
  ['Messages', '{"type":"error","error":{"type":"overloaded_error"}}', 503],
  ['Messages, of a type without a status', '{"type":"error","error":{"type":"api_error"}}', undefined],
  ['Responses', '{"type":"response.failed","response":{}}', undefined],
])('%s is an error', (_what, data, status) => {
  expect(readStreamEvent(data)).toMatchObject({ brings: 'error', status });
});

test('an error field that says nothing is none', () => {
  expect(readStreamEvent('{"error":null,"choices":[{"text":"a"}]}').brings).toBe('output');
});

test('usage is read wherever an engine puts it', () => {
  const usage = { prompt_tokens: 18, completion_tokens: 13, prompt_tokens_details: { cached_tokens: 7 } };
  const read = { promptTokens: 18, completionTokens: 13, cachedTokens: 7 };
  expect(readStreamEvent(JSON.stringify({ choices: [], usage })).usage).toEqual(read);
  expect(readStreamEvent(chunk({}, { usage })).usage).toEqual(read);
  expect(
    readStreamEvent(
      JSON.stringify({
        type: 'response.completed',
        response: {
          usage: { input_tokens: 18, output_tokens: 13, input_tokens_details: { cached_tokens: 7 } },
        },
      }),
    ).usage,
  ).toEqual(read);
  expect(
    readStreamEvent(
      JSON.stringify({
        type: 'message_start',
        message: { usage: { input_tokens: 18, cache_read_input_tokens: 7 } },
      }),
    ).usage,
  ).toEqual({ promptTokens: 18, completionTokens: undefined, cachedTokens: 7 });
});

test.each([
  ['[DONE]', '[DONE]', true],
  ['a finish chunk', JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] }), false],
  [
    'a finish chunk of completions',
    JSON.stringify({ choices: [{ text: '.', finish_reason: 'length' }] }),
    false,
  ],
  ['the end of Messages', '{"type":"message_stop"}', true],
  ['the end of Responses', '{"type":"response.completed","response":{}}', true],
  ['Responses that reached their limit', '{"type":"response.incomplete","response":{}}', true],
])('%s ends an answer', (_what, data, closes) => {
  expect(readStreamEvent(data)).toMatchObject({ known: true, ends: true, closes });
});

test.each([
  ['text', chunk({ content: 'Hi' }), true],
  ['usage alone', JSON.stringify({ choices: [] }), true],
  ['a part of Messages', '{"type":"content_block_stop","index":0}', true],
  ['a part of Responses', '{"type":"response.created","response":{}}', true],
  ['an event of a form of its own', '{"tokens":[1,2]}', false],
  ['not JSON', 'hello', false],
])('%s does not end it', (_what, data, known) => {
  expect(readStreamEvent(data)).toMatchObject({ known, ends: false });
});
