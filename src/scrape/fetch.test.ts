import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { byPath, fakeHttp } from '../../test/kit/fake-http.ts';
import { systemClock } from '../kit/clock.ts';
import { http1Client } from '../kit/http1-client.ts';
import { type Fetched, fetchPage } from './fetch.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** Fetches from a real socket that answers with exactly these bytes and closes. */
async function fetched(...parts: readonly (string | Uint8Array)[]): Promise<Fetched> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('data', () => {
      for (const part of parts) socket.write(part);
      socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = http1Client({ clock: systemClock });
  ends.push(async () => {
    await http.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
  const limits = { timeoutMs: 5_000, maxPageBytes: 1_000 };
  return fetchPage(http, { url, headers: {} }, limits, new AbortController().signal);
}

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\n';
const zipped = gzipSync('a 1\n');

test.each<[string, readonly (string | Uint8Array)[]]>([
  ['with a length', [`${HEAD}Content-Length: 4\r\n\r\na 1\n`]],
  ['in chunks', [`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\na \r\n2\r\n1\n\r\n0\r\n\r\n`]],
  ['to the end of an HTTP/1.0 connection, as Strata does', [`${HEAD.replace('1.1', '1.0')}\r\na 1\n`]],
  ['zipped', [`${HEAD}Content-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`, zipped]],
])('a page %s comes whole', async (_, parts) => {
  const got = await fetched(...parts);
  expect(got).toMatchObject({ page: { format: 'text-0.0.4' } });
  expect('page' in got && new TextDecoder().decode(got.page.bytes)).toBe('a 1\n');
});

test.each<[string, string, readonly (string | Uint8Array)[]]>([
  ['cut-off', 'a page shorter than announced', [`${HEAD}Content-Length: 400\r\n\r\na 1\nb 2\n`]],
  ['cut-off', 'chunks without an end', [`${HEAD}Transfer-Encoding: chunked\r\n\r\n4\r\na 1\n\r\n`]],
  ['too-large', 'a page above the limit', [`${HEAD}Content-Length: 1200\r\n\r\n`, 'a 1\n'.repeat(300)]],
  [
    'too-large',
    'a small zip of such a page',
    [`${HEAD}Content-Encoding: gzip\r\n\r\n`, gzipSync('a 1\n'.repeat(300))],
  ],
  ['http-status', 'a status', ['HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n']],
  [
    'http-status',
    'a redirect',
    ['HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:9/\r\nContent-Length: 0\r\n\r\n'],
  ],
  ['not-a-page', 'HTML under the right type', [`${HEAD}Content-Length: 15\r\n\r\n<html> </html>\n`]],
  ['not-a-page', 'an empty body', [`${HEAD}Content-Length: 0\r\n\r\n`]],
])('%s: %s', async (cause, _, parts) => {
  expect(await fetched(...parts)).toMatchObject({ failure: { cause, unreachable: false } });
});

test('nothing that listens is unreachable: no other look would find more', async () => {
  const http = http1Client({ clock: systemClock });
  ends.push(() => http.close());
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const request = { url: `http://127.0.0.1:${port}/metrics`, headers: {} };
  const got = await fetchPage(
    http,
    request,
    { timeoutMs: 5_000, maxPageBytes: 1 },
    new AbortController().signal,
  );
  expect(got).toMatchObject({ failure: { cause: 'refused', unreachable: true } });
});

test.each([
  ['not zipped, unless it is asked for', undefined, 'identity'],
  ['zipped where the operator wants it', true, 'gzip'],
])('a page comes %s', async (_, gzip, encoding) => {
  const http = fakeHttp(byPath({ '/metrics': 'a 1\n' }));
  const limits = { timeoutMs: 5_000, maxPageBytes: 1_000, ...(gzip === undefined ? {} : { gzip }) };
  const request = { url: 'http://gpu:8000/metrics', headers: { accept: 'text/plain' } };
  await fetchPage(http, request, limits, new AbortController().signal);
  expect(http.asked[0]?.headers).toEqual({ accept: 'text/plain', 'accept-encoding': encoding });
});
