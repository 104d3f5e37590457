import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { ManualClock, settle } from '../../test/kit/manual-clock.ts';
import { systemClock } from './clock.ts';
import { httpFailureOf } from './http-failure-of.ts';
import { http1Client } from './http1-client.ts';
import { reason } from './log.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listening(server: Server, sockets: Set<Socket> = new Set()): Promise<string> {
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function serving(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  return listening(createServer(handle));
}

/** Answers each connection's first bytes with exactly these and ends it. */
function saying(text: string): Promise<string> {
  return listening(createTcp((socket) => void socket.once('data', () => socket.end(text))));
}

function client(clock = systemClock) {
  const made = http1Client({ clock });
  ends.push(() => made.close());
  return made;
}

const limits = { timeoutMs: 5_000, maxBytes: 1_000 };
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('a body comes whole, with its status and headers in lower case', async () => {
  const url = await serving((_, response) => {
    response.writeHead(503, { 'X-One': 'a' }).end('loading');
  });
  const answer = await client().get(url, limits);
  expect([answer.status, answer.headers['x-one'], text(answer.body)]).toEqual([503, 'a', 'loading']);
});

test('connections are kept: many calls need few', async () => {
  const ports = new Set<number | undefined>();
  const url = await serving((request, response) => {
    ports.add(request.socket.remotePort);
    response.end('x');
  });
  const http = client();
  for (let call = 0; call < 20; call += 1) await http.get(url, limits);
  // Two: the next call may come before the last connection counts as idle.
  expect(ports.size).toBeLessThanOrEqual(2);
});

test('gzip is decoded', async () => {
  const url = await serving((request, response) => {
    expect(request.headers['accept-encoding']).toBe('gzip');
    response.setHeader('content-encoding', 'gzip').end(gzipSync('hello'));
  });
  expect(text((await client().get(url, limits)).body)).toBe('hello');
});

test('the limit counts decoded bytes: a small zip of a large page is too large', async () => {
  const url = await serving((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync('a'.repeat(100_000)));
  });
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'too-large' });
});

test('an announced length above the limit is refused before the body is read', async () => {
  const url = await serving((_, response) => {
    response.writeHead(200, { 'content-length': '1001' }).write('a');
  });
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'too-large' });
});

test('a body without announced length is refused once it exceeds the limit', async () => {
  const url = await serving((_, response) => {
    response.write('a'.repeat(800));
    response.write('b'.repeat(800));
  });
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'too-large' });
});

test('a body of exactly the limit is taken', async () => {
  const url = await serving((_, response) => void response.end('a'.repeat(1_000)));
  expect((await client().get(url, limits)).body.length).toBe(1_000);
});

test.each([
  ['fewer bytes than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'],
  ['chunks without an end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
  ['half a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc'],
  ['half a head', 'HTTP/1.1 200 OK\r\nContent-Le'],
  ['nothing at all', ''],
])('%s is a body cut off', async (_, bytes) => {
  await expect(client().get(await saying(bytes), limits)).rejects.toMatchObject({ code: 'cut-off' });
});

test('a zip that ends in its middle is cut off', async () => {
  const half = gzipSync('hello hello hello hello').subarray(0, 20);
  const url = await serving((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', connection: 'close' }).end(half);
  });
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'cut-off' });
});

test('a zip that is none is a failure and no crash', async () => {
  const url = await serving((_, response) => {
    response.setHeader('content-encoding', 'gzip').end('plain');
  });
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'other' });
});

test('HTTP/1.0 without a length ends with its connection', async () => {
  const answer = await client().get(await saying('HTTP/1.0 200 OK\r\n\r\nabc'), limits);
  expect(text(answer.body)).toBe('abc');
});

test('nobody listening is refused', async () => {
  const server = createTcp();
  const url = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(client().get(url, limits)).rejects.toMatchObject({ code: 'refused' });
});

test.each([
  ['dns', Object.assign(new Error('getaddrinfo ENOTFOUND gpu-9'), { code: 'ENOTFOUND' })],
  ['refused', new AggregateError([Object.assign(new Error('no'), { code: 'ECONNREFUSED' })])],
  ['tls', Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
  ['other', new TypeError('fetch failed')],
  ['cut-off', new Error('outer', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })],
])('a %s failure is told from the codes in the error and its causes', (code, error) => {
  expect(httpFailureOf(error).code).toBe(code);
});

test('what does not speak HTTP is told from what does and is broken', async () => {
  await expect(client().get(await saying('SSH-2.0-OpenSSH_9.2\r\n'), limits)).rejects.toMatchObject({
    code: 'not-http',
    message: 'what it answers is not HTTP',
  });
  const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nno size\r\n';
  await expect(client().get(await saying(broken), limits)).rejects.toMatchObject({ code: 'other' });
});

test.each([
  ['getaddrinfo ENOTFOUND gpu-9', 'ENOTFOUND', 'the name gpu-9 is not known here'],
  ['getaddrinfo EAI_AGAIN gpu-9', 'EAI_AGAIN', 'the name gpu-9 cannot be looked up: no name server answers'],
  [
    'write EPROTO 80:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:rec.c:1:\n',
    'EPROTO',
    'TLS failed: sslv3 alert handshake failure',
  ],
])('"%s" is said in words', (message, code, words) => {
  const failure = httpFailureOf(Object.assign(new Error(message), { code }));
  expect(reason(failure)).toBe(words);
});

test('TLS towards a plain server is told from TLS that fails', async () => {
  const url = await saying('HTTP/1.1 400 Bad Request\r\n\r\n');
  await expect(client().get(url.replace('http:', 'https:'), limits)).rejects.toMatchObject({
    code: 'not-tls',
    message: 'it does not speak TLS',
  });
});

test('the timeout is of the given clock and covers the body', async () => {
  const clock = new ManualClock();
  let begun = (): void => {};
  const first = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const url = await serving((_, response) => {
    response.write('a');
    begun();
  });
  const answer = client(clock).get(url, limits);
  const outcome = expect(answer).rejects.toMatchObject({ code: 'timeout' });
  await first;
  await clock.advance(5_000);
  await outcome;
  expect(clock.sleeping).toBe(0);
});

test('an answer in time leaves no timer behind', async () => {
  const clock = new ManualClock();
  const url = await serving((_, response) => void response.end('x'));
  await client(clock).get(url, limits);
  await settle();
  expect(clock.sleeping).toBe(0);
});

test("aborting rejects with the signal's own reason and closes the connection", async () => {
  const leave = new AbortController();
  let closed: Promise<unknown> = Promise.resolve();
  const url = await serving((request, response) => {
    closed = new Promise((resolve) => request.socket.once('close', resolve));
    response.write('a');
    leave.abort(new Error('we stop'));
  });
  await expect(client().get(url, { ...limits, signal: leave.signal })).rejects.toThrow('we stop');
  await closed;
});

test('a signal that is aborted already sends nothing', async () => {
  let asked = 0;
  const url = await serving((_, response) => {
    asked += 1;
    response.end();
  });
  const signal = AbortSignal.abort(new Error('we stop'));
  await expect(client().get(url, { ...limits, signal })).rejects.toThrow('we stop');
  expect(asked).toBe(0);
});

test('a redirect is answered, not followed', async () => {
  const asked: string[] = [];
  const other = await serving((request, response) => {
    asked.push(String(request.headers.authorization));
    response.end();
  });
  const url = await serving((_, response) => {
    response.writeHead(302, { location: other }).end();
  });
  const answer = await client().get(url, { ...limits, headers: { authorization: 'Bearer k' } });
  expect([answer.status, asked]).toEqual([302, []]);
});

test('a kept connection that the server closes as we ask again is tried once more', async () => {
  let connections = 0;
  const url = await listening(
    createTcp((socket) => {
      connections += 1;
      const first = connections === 1;
      let asked = 0;
      socket.on('data', () => {
        asked += 1;
        if (first && asked === 2) socket.destroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx');
      });
    }),
  );
  const http = client();
  await http.get(url, limits);
  expect(text((await http.get(url, limits)).body)).toBe('x');
  expect(connections).toBe(2);
});

test('a body may be written over an earlier one, and over no memory but that', async () => {
  let said = 'a'.repeat(600);
  const url = await serving((_, response) => void response.end(said));
  const http = client();
  const first = (await http.get(url, limits)).body;
  said = 'b'.repeat(590);
  const second = (await http.get(url, { ...limits, into: first })).body;
  expect([text(second), second.buffer === first.buffer]).toEqual([said, true]);
  // A little more than there is room for: there is room for what comes next.
  said = 'c'.repeat(610);
  const third = (await http.get(url, { ...limits, into: second })).body;
  said = 'd'.repeat(630);
  const fourth = (await http.get(url, { ...limits, into: third })).body;
  expect([text(fourth), fourth.buffer === third.buffer]).toEqual([said, true]);
  const foreign = Buffer.alloc(1_000, 'x');
  expect(text((await http.get(url, { ...limits, into: foreign })).body)).toBe(said);
  expect(foreign.toString()).toBe('x'.repeat(1_000));
});

test('a small answer holds no large memory', async () => {
  let said = 'a'.repeat(900);
  const url = await serving((_, response) => void response.end(said));
  const http = client();
  const large = (await http.get(url, limits)).body;
  said = 'b';
  const small = (await http.get(url, { ...limits, into: large })).body;
  expect([text(small), small.buffer === large.buffer]).toEqual(['b', false]);
});
