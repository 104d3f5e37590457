import { expect, test } from 'vitest';

import { printable, printableLines } from './printable.ts';

test.each([
  ['what a person reads', 'Qwen/Qwen3-8B é 模型 😀 a b', 'Qwen/Qwen3-8B é 模型 😀 a b'],
  ['terminal sequences', '\u001b[31m\u0007\u007f', '\\u001b[31m\\u0007\\u007f'],
  ['the same in one character', '\u009b31m\u0085', '\\u009b31m\\u0085'],
  ['line ends', 'a\nb\r\u2028\u2029', 'a\\u000ab\\u000d\\u2028\\u2029'],
  ['marks of direction', '\u202e\u2066\u200f\u061c', '\\u202e\\u2066\\u200f\\u061c'],
  ['nothing to see', '\u200b\ufeff\u00ad\u2060', '\\u200b\\ufeff\\u00ad\\u2060'],
  ['the same beyond 16 bits', '\u{e0041}', '\\udb40\\udc41'],
  ['half a character', 'a\ud800', 'a\\ud800'],
])('%s', (_what, text, expected) => {
  expect(printable(text)).toBe(expected);
});

test('a text of several lines keeps them', () => {
  expect(printableLines('a\n\tb\u001b\r\n')).toBe('a\n\tb\\u001b\\u000d\n');
});
