import { expect, test } from 'vitest';

import { readRequest, withModel } from './request.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (body: unknown) => readRequest(bytes(JSON.stringify(body)));

test('model and stream are read', () => {
  expect(read({ model: 'a/b', stream: true })).toMatchObject({ model: 'a/b', stream: true });
  expect(read({ model: 'a', stream: 'yes' })).toMatchObject({ stream: false });
  expect(read({ model: 'a', user: 'u', prompt_cache_key: 'k' })).toMatchObject({
    user: 'u',
    promptCacheKey: 'k',
  });
});

test.each([
  ['', 'The request has no body; a JSON object is needed'],
  ['[1]', 'The request body must be a JSON object, not a list'],
  ['null', 'The request body must be a JSON object, not null'],
  ['"x"', 'The request body must be a JSON object, not a string'],
  ['{"a":1', 'The request body is not JSON: line 1, column 7 must be a comma or }; it ends there'],
  [
    '{"a":\n  1,,}',
    'The request body is not JSON: line 2, column 5 must be a field name in double quotes; found ","',
  ],
  [
    "{'a':1}",
    `The request body is not JSON: line 1, column 2 must be a field name in double quotes; found "'"`,
  ],
  ['{"a":"é" "b"}', 'The request body is not JSON: line 1, column 10 must be a comma or }; found "\\""'],
  [
    '{} {}',
    'The request body is not JSON: line 1, column 4 must be nothing behind the closing bracket; found "{"',
  ],
  ['{"a":nul}', 'The request body is not JSON: line 1, column 6 must be a value; found "n"'],
  ['{}', 'The request names no model'],
  ['{"model":7}', '"model" must be the name of a model, not a number'],
  ['{"model":""}', '"model" must be the name of a model, not an empty string'],
])('%s is refused with its place', (text, problem) => {
  expect(readRequest(bytes(text))).toMatchObject({ problem });
});

test('a problem with the model names the field', () => {
  expect(readRequest(bytes('{}'))).toMatchObject({ param: 'model' });
});

test('another model takes the place of one value and every other byte stays', () => {
  const text = '{ "x": {"model":"inner"},\n"mod\\u0065l" : "a\\"b" , "y":[1, 2.50,"é"]}';
  expect(new TextDecoder().decode(withModel(bytes(text), 'c"d'))).toBe(
    '{ "x": {"model":"inner"},\n"mod\\u0065l" : "c\\"d" , "y":[1, 2.50,"é"]}',
  );
});

test('of two models the last is read and replaced, as JSON.parse has it', () => {
  const text = '{"model":"a","model":"b"}';
  expect(readRequest(bytes(text))).toMatchObject({ model: 'b' });
  expect(new TextDecoder().decode(withModel(bytes(text), 'c'))).toBe('{"model":"a","model":"c"}');
});

function opening(body: object): string | undefined {
  const result = read({ model: 'm', ...body });
  if ('problem' in result) throw new Error(result.problem);
  return result.opening;
}

test('turns of one conversation open alike, other conversations do not', () => {
  const system = { role: 'system', content: 'be brief' };
  const first = { role: 'user', content: 'hello' };
  const later = [
    { role: 'assistant', content: 'hi' },
    { role: 'user', content: 'more' },
  ];
  expect(opening({ messages: [system, first, ...later] })).toBe(opening({ messages: [system, first] }));
  expect(opening({ messages: [system, first] })).not.toBe(opening({ messages: [first] }));
  expect(opening({ messages: [first] })).not.toBe(
    opening({ messages: [{ role: 'user', content: 'other' }] }),
  );
  expect(opening({ system: 'a', messages: [first] })).not.toBe(opening({ system: 'b', messages: [first] }));
  expect(opening({ prompt: 'a' })).not.toBe(opening({ prompt: 'b' }));
  expect(opening({ input: 'a', instructions: 'x' })).not.toBe(opening({ input: 'a', instructions: 'y' }));
  expect(opening({})).toBeUndefined();
});

test('a long opening is cut, and its length and end still tell', () => {
  const long = 'x'.repeat(100_000);
  expect(opening({ prompt: long })?.length).toBeLessThan(5_000);
  expect(opening({ prompt: long })).not.toBe(opening({ prompt: `${long}x` }));
  expect(opening({ prompt: `${long}a` })).not.toBe(opening({ prompt: `${long}b` }));
});
