import { expect, test } from 'vitest';

import { notAPage } from './not-a-page.ts';

const of = (text: string): string | undefined => notAPage(new TextEncoder().encode(text));

test.each([
  ['', 'an empty body'],
  [' \r\n\t', 'an empty body'],
  ['\n'.repeat(5000), 'an empty body'],
  ['<!DOCTYPE html>\n<html>', 'an HTML page'],
  ['\n  <html><body>404', 'an HTML page'],
  ['<?xml version="1.0"?><Error/>', 'an XML document'],
  ['[]', 'a JSON document'],
  ['[{"gpuMemUsage": 0.93}]\n', 'a JSON document'],
  ['{"detail":"Not Found"}', 'a JSON document'],
  ['{ "a\\"b" : 1', 'a JSON document'],
  ['{}', 'a JSON document'],
  ['\ufeff{"a":1}', 'a JSON document'],
  ['null', 'a JSON document'],
  ['"Not Found"\n', 'a JSON document'],
])('%j is named', (text, what) => {
  expect(of(text)).toBe(what);
});

test('a body that was compressed and not unpacked is named', () => {
  expect(notAPage(Uint8Array.of(0x1f, 0x8b, 8, 0))).toBe('a gzip-compressed body');
});

test.each([
  'a 1\n',
  '# EOF\n',
  '# just a comment',
  '  a 1',
  'null 1\n',
  'Internal Server Error',
  '{"my.metric","label"="v"} 1\n',
  '{"my.metric"} 1\n',
])('%j may be a page', (text) => {
  expect(of(text)).toBeUndefined();
});
