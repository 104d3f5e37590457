import { expect, test } from 'vitest';
import { withoutCredentials } from './engine-url.ts';

test.each([
  ['http://user:pass@gpu:8000/v1', 'http://***@gpu:8000/v1'],
  ['http://gpu:9000/m?token=secret', 'http://gpu:9000/m?…'],
  ['/m?token=secret', '/m?…'],
  ['gpu:8000', 'gpu:8000'],
  ['what?', 'what?'],
])('a message shows of %s what is no secret: %s', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});
