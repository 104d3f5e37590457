import { expect, test } from 'vitest';

import { laterUsage, usageOf } from './usage.ts';

test('numbers that are not there are absent, not zero', () => {
  expect(usageOf({ usage: { prompt_tokens: 5, prompt_tokens_details: null } })).toEqual({
    promptTokens: 5,
    completionTokens: undefined,
    cachedTokens: undefined,
  });
  expect(usageOf({ usage: { prompt_tokens: 0 } })?.promptTokens).toBe(0);
});

test.each([undefined, null, 'text', [], {}, { usage: null }])('%j has no usage', (body) => {
  expect(usageOf(body)).toBeUndefined();
});

test('a later report replaces what it names and keeps the rest, and nothing is added', () => {
  const start = usageOf({ message: { usage: { input_tokens: 18, output_tokens: 1 } } });
  const end = usageOf({ usage: { output_tokens: 13 } });
  expect(laterUsage(laterUsage(undefined, start), end)).toEqual({
    promptTokens: 18,
    completionTokens: 13,
    cachedTokens: undefined,
  });
  expect(laterUsage(start, undefined)).toBe(start);
});
