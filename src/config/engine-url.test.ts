import { expect, test } from 'vitest';

import { withoutCredentials } from './engine-url.ts';

test.each([
  ['http://10.0.0.5:8000/path', 'http://10.0.0.5:8000/path'],
  ['localhost:8000', 'localhost:8000'],
  ['http://bob:SECRET@h:1', 'http://***@h:1'],
  ['http://SECRET@h', 'http://***@h'],
  ['bob:SECRET@h:1', '***@h:1'],
  ['http://bob:SE/CRET@h:1', 'http://***@h:1'],
  ['http://bob:SE@CRET@h:1', 'http://***@h:1'],
  ['http://bob:SECRET @h:1', 'http://***@h:1'],
  ['http://bob:SE?CRET@h:1', 'http://***'],
  ['http://h/?k=SECRET', 'http://h/?…'],
  ['http://h/?a@b=SECRET', 'http://***'],
  ['http://h#SECRET', 'http://h#…'],
  ['h?k=SECRET', 'h?…'],
  ['/metrics?token=SECRET\nSECRET', '/metrics?…'],
])('of %j a message shows %j', (text, shown) => {
  expect(withoutCredentials(text)).toBe(shown);
});
