import { expect, test } from 'vitest';

import type { RequestFields } from '../openai/request.ts';
import { sessionKeyOf } from './session-key.ts';

const fields: RequestFields = {
  model: 'm',
  modelSpan: { start: 9, end: 12 },
  stream: false,
  promptCacheKey: 'k',
  user: 'u',
  opening: 'hello',
};

test('the header comes first, then the cache key, the user, and the opening', () => {
  expect(sessionKeyOf('s', fields)).toBe('session:s');
  expect(sessionKeyOf('', fields)).toBe('cache:k');
  expect(sessionKeyOf(undefined, fields)).toBe('cache:k');
  expect(sessionKeyOf(undefined, { ...fields, promptCacheKey: undefined })).toBe('user:u');
  const opening = { ...fields, promptCacheKey: undefined, user: undefined };
  expect(sessionKeyOf(undefined, opening)).toMatch(/^opening:\d+$/);
  expect(sessionKeyOf(undefined, opening)).not.toBe(sessionKeyOf(undefined, { ...opening, opening: 'bye' }));
  expect(sessionKeyOf(undefined, { ...opening, opening: undefined })).toBeUndefined();
});

test('a long word of the client’s becomes a short key, which its end still changes', () => {
  const long = 'u'.repeat(60_000);
  const keyOf = (user: string) => sessionKeyOf(undefined, { ...fields, promptCacheKey: undefined, user });
  expect(keyOf(long)?.length).toBeLessThan(32);
  expect(keyOf(long)).toBe(keyOf(long));
  expect(keyOf(long)).not.toBe(keyOf(`${long.slice(1)}v`));
  expect(sessionKeyOf(long, fields)?.length).toBeLessThan(32);
  expect(sessionKeyOf(undefined, { ...fields, promptCacheKey: long })?.length).toBeLessThan(32);
});
