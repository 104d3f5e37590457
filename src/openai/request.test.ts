import { expect, test } from 'vitest';

import { readRequest, readRequestInParts, withModel } from './request.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
function renamed(text: string, model: string): string {
  const body = bytes(text);
  const fields = readRequest(body);
  if ('problem' in fields) throw new Error(fields.problem);
  return new TextDecoder().decode(withModel(body, fields.modelSpan, model));
}
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
  [
    `{"model":"m","x":${'['.repeat(600)}`,
    'The request body opens more than 512 brackets in one another: line 1, column 529',
  ],
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
  expect(renamed(text, 'c"d')).toBe(
    '{ "x": {"model":"inner"},\n"mod\\u0065l" : "c\\"d" , "y":[1, 2.50,"é"]}',
  );
});

test('of two models the last is read and replaced, as JSON.parse has it', () => {
  const text = '{"model":"a","model":"b"}';
  expect(readRequest(bytes(text))).toMatchObject({ model: 'b' });
  expect(renamed(text, 'c')).toBe('{"model":"a","model":"c"}');
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

test('a conversation opens alike however long it has become, and however large its system text is', () => {
  const system = { role: 'system', content: 'x'.repeat(100_000) };
  const first = { role: 'user', content: 'hello' };
  const turns = Array.from({ length: 500 }, (_, at) => ({
    role: 'user',
    content: `turn ${at} ${'y'.repeat(200)}`,
  }));
  const short = opening({ messages: [first] });
  expect(opening({ messages: [first, ...turns] })).toBe(short);
  const long = opening({ messages: [system, first] });
  expect(opening({ messages: [system, first, ...turns] })).toBe(long);
  expect(long?.length).toBeLessThan(6_000);
  expect(opening({ messages: Array.from({ length: 1_000 }, () => system) })?.length).toBeLessThan(50_000);
});

test('a name longer than any name is none', () => {
  expect(read({ model: 'm'.repeat(70_000) })).toMatchObject({ param: 'model' });
  expect(read({ model: 'm', user: 'u'.repeat(70_000) })).toMatchObject({ user: undefined });
});

test('a large body is read in parts, with a breath between them, and comes to the same', async () => {
  const messages = Array.from({ length: 40_000 }, (_, at) => ({
    role: 'user',
    content: `turn ${at} ${'y'.repeat(60)}`,
  }));
  const body = bytes(JSON.stringify({ messages, model: 'm', stream: true }));
  let breaths = 0;
  const fields = await readRequestInParts(body, () => {
    breaths += 1;
    return Promise.resolve();
  });
  expect(fields).toEqual(readRequest(body));
  expect(breaths).toBe(Math.floor(body.byteLength / 1_048_576));
  expect(
    await readRequestInParts(bytes('{"model":"m"}'), () => Promise.reject(new Error('no'))),
  ).toMatchObject({
    model: 'm',
  });
});
