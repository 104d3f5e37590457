import { expect, test } from 'vitest';

import { bytesOneByOne, heldBytes } from '../../test/kit/held-bytes.ts';
import { MAX_EVENT_BYTES, SseSplitter } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function dataOf(text: string): string[] {
  return new SseSplitter().push(bytes(text)).events.map(({ data }) => data);
}

test.each([
  ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['no space after the colon', 'data:a\n\n', ['a']],
  ['only one space is taken', 'data:  a\n\n', [' a']],
  ['several data lines', 'data: a\ndata: b\n\n', ['a\nb']],
  ['a data line without a value', 'data\n\n', ['']],
  ['comments between and inside', ': ping\n\ndata: a\n: ping\n\n', ['a']],
  ['other fields', 'id: 7\nretry: 10\ndata: a\n\n', ['a']],
  ['an event without data', 'event: ping\n\n', []],
  ['a byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['more blank lines', '\n\n\ndata: a\n\n\n\ndata: b\n\n', ['a', 'b']],
  ['an event that does not end', 'data: a\n\ndata: b\n', ['a']],
  ['text beyond ASCII', 'data: é€😀\n\n', ['é€😀']],
])('%s', (_what, text, expected) => {
  expect(dataOf(text)).toEqual(expected);
});

test('the name of an event belongs to it alone', () => {
  const { events } = new SseSplitter().push(bytes('event: error\ndata: a\n\ndata: b\n\n'));
  expect(events).toEqual([
    { name: 'error', data: 'a' },
    { name: undefined, data: 'b' },
  ]);
});

test('what is whole and what is in the making is told by position', () => {
  const splitter = new SseSplitter();
  expect(splitter.push(bytes('data: a\n\ndata: b'))).toMatchObject({ wholeUpTo: 9 });
  expect(splitter.atBoundary).toBe(false);
  expect(splitter.push(bytes('c\n'))).toMatchObject({ events: [], wholeUpTo: 0 });
  expect(splitter.push(bytes('\n'))).toMatchObject({ events: [{ data: 'bc' }], wholeUpTo: 1 });
  expect(splitter.atBoundary).toBe(true);
  expect(splitter.push(bytes(': ping\n'))).toMatchObject({ events: [], wholeUpTo: 7 });
});

test('an event beyond the limit is skipped and the next one is read', () => {
  const splitter = new SseSplitter();
  const piece = bytes(`data: ${'x'.repeat(65_530)}\n`);
  for (let sent = 0; sent < 2 * MAX_EVENT_BYTES; sent += piece.byteLength) splitter.push(piece);
  expect(splitter.push(bytes('\ndata: next\n\n')).events).toEqual([{ name: undefined, data: 'next' }]);
  expect(splitter.atBoundary).toBe(true);
});

test('the same holds for one line beyond the limit', () => {
  const splitter = new SseSplitter();
  splitter.push(bytes('data: '));
  for (let sent = 0; sent <= MAX_EVENT_BYTES; sent += 65_536) splitter.push(bytes('x'.repeat(65_536)));
  expect(splitter.push(bytes('\n\ndata: next\n\n')).events).toEqual([{ name: undefined, data: 'next' }]);
});

test('a line that comes byte by byte takes about what it weighs', () => {
  const splitter = new SseSplitter();
  const before = heldBytes();
  splitter.push(bytes('data: '));
  for (const byte of bytesOneByOne(1_000_000, 120)) splitter.push(byte);
  // As pieces: 130 MB of buffers and 100 MB of objects.
  expect(heldBytes() - before).toBeLessThan(100_000_000);
  expect(splitter.push(bytes('\n\n')).events).toEqual([{ name: undefined, data: 'x'.repeat(1_000_000) }]);
});

test('what is kept of a chunk is a copy: its sender may use the memory again', () => {
  const splitter = new SseSplitter();
  const chunk = Buffer.from('data: one');
  splitter.push(chunk);
  chunk.fill(120);
  expect(splitter.push(bytes('\n\n')).events).toEqual([{ name: undefined, data: 'one' }]);
});
