import fc from 'fast-check';
import { expect, test } from 'vitest';

import { heldBytes } from '../../test/kit/held-bytes.ts';
import { ResponseReader } from './http1-response.ts';

/** Reads an answer that comes in these pieces, then ends. */
function read(pieces: readonly Buffer[], maxBytes = 1_000) {
  const reader = new ResponseReader(maxBytes);
  // One buffer for all reads, as connections have it.
  const shared = Buffer.alloc(4_096);
  const whole = pieces.some((piece) => {
    piece.copy(shared);
    const done = reader.take(shared.subarray(0, piece.length));
    shared.fill('#');
    return done;
  });
  if (!whole) reader.end();
  const { head, body } = reader.answer;
  return { status: head.status, headers: head.headers, body: body.toString(), keepMs: reader.keepMs };
}

const answers: readonly (readonly [name: string, answer: string, expected: object])[] = [
  [
    'a body of known length',
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\nx-a:  2 \r\n\r\nhello',
    {
      status: 200,
      headers: { 'content-length': '5', 'x-a': '1, 2' },
      body: 'hello',
      keepMs: Number.POSITIVE_INFINITY,
    },
  ],
  [
    'chunks with extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n00A\r\nlo, world.\r\n0\r\nX-Sum: 1\r\n\r\n',
    { body: 'hello, world.', keepMs: Number.POSITIVE_INFINITY },
  ],
  ['a body that ends with the connection', 'HTTP/1.0 200 OK\r\n\r\nhello', { body: 'hello', keepMs: 0 }],
  ['no body', 'HTTP/1.1 204 No Content\r\n\r\n', { status: 204, body: '' }],
  ['a length of nothing', 'HTTP/1.1 500\r\nContent-Length: 0\r\n\r\n', { status: 500, body: '' }],
  [
    'an answer after others that only inform',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx',
    { status: 200, body: 'x' },
  ],
  [
    'the same length twice',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx',
    { body: 'x' },
  ],
  [
    'a connection that closes',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx',
    { body: 'x', keepMs: 0 },
  ],
  [
    'an old server that keeps it',
    'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nKeep-Alive: timeout=5, max=100\r\nContent-Length: 1\r\n\r\nx',
    { body: 'x', keepMs: 4_000 },
  ],
  [
    'a length beside chunks, which is how answers are smuggled',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    { body: 'x', keepMs: 0 },
  ],
];

test.each(answers)('%s', (_, answer, expected) => {
  expect(read([Buffer.from(answer)])).toMatchObject(expected);
});

test.each(answers)('%s, cut anywhere, is the same', (_, answer, expected) => {
  const bytes = Buffer.from(answer);
  expect(read(Array.from(bytes, (byte) => Buffer.of(byte)))).toMatchObject(expected);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: bytes.length }), { maxLength: 5 }), (cuts) => {
      const at = [0, ...cuts.sort((one, other) => one - other), bytes.length];
      const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(read(pieces)).toMatchObject(expected);
    }),
    { seed: 1, numRuns: 100 },
  );
});

test('more than was asked for leaves the answer whole and the connection of no use', () => {
  const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n';
  expect(read([Buffer.from(answer)])).toMatchObject({ body: 'x', keepMs: 0 });
});

test.each([
  ['not-http', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['not-http', '\x15\x03\x03\x00\x02\x02\x46'],
  ['other', 'HTTP/1.1 2xx\r\n\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nno header\r\n\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nA: b\r\n folded\r\n\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx'],
  ['other', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n'],
  ['other', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n'],
  ['other', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n'],
  ['other', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(70_000)}`],
  ['other', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(9_000)}`],
  ['too-large', 'HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n'],
  ['too-large', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n${'x'.repeat(1_001)}`],
  ['too-large', `HTTP/1.0 200 OK\r\n\r\n${'x'.repeat(1_001)}`],
  ['cut-off', ''],
  ['cut-off', 'HTT'],
  ['cut-off', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell'],
  ['cut-off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'],
])('%s: %j', (code, answer) => {
  const pieces = answer.match(/.{1,4000}/gs) ?? [];
  expect(() => read(pieces.map((piece) => Buffer.from(piece, 'latin1')))).toThrow(
    expect.objectContaining({ code }),
  );
});

test('whatever bytes come, there is an answer or a failure with its code', () => {
  const bytes = fc.array(
    fc.constantFrom('HTTP/1.1 200 OK', '\r\n', 'A: b', 'Transfer-Encoding: chunked', '3', 'x', ''),
  );
  fc.assert(
    fc.property(bytes, (parts) => {
      try {
        read(parts.map((part) => Buffer.from(part)));
      } catch (error) {
        expect(error).toMatchObject({ name: 'HttpFailure' });
      }
    }),
    { seed: 1, numRuns: 1_000 },
  );
});

test('a body in chunks of one byte takes about what it weighs while it comes', () => {
  const reader = new ResponseReader(2_000_000);
  const before = heldBytes();
  reader.take(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
  const piece = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  for (let at = 0; at < 200; at += 1) reader.take(piece);
  // A buffer for each byte is 200 MB.
  expect(heldBytes() - before).toBeLessThan(100_000_000);
  expect(reader.take(Buffer.from('0\r\n\r\n'))).toBe(true);
  expect(reader.answer.body.byteLength).toBe(2_000_000);
});
