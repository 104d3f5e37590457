import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

import { ManualClock } from '../../test/kit/manual-clock.ts';
import { systemClock } from '../kit/clock.ts';
import { silentLog } from '../kit/log.ts';
import { sendJson } from './answer.ts';
import { GatewayError } from './errors.ts';
import { type Keys, noKeys } from './keys.ts';
import { type Listener, listen } from './listen.ts';
import { readBody } from './read-body.ts';
import { createRouter, type Exchange, type Route } from './routes.ts';
import { SseWriter } from './sse.ts';

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.stop()));
});

async function serve(routes: readonly Route[], keys: Keys = noKeys, graceMs = 0): Promise<Listener> {
  const router = createRouter(routes, {
    keys,
    hostCheck: { listenerHost: '127.0.0.1', keyless: keys.client.length === 0, allowed: [] },
    log: silentLog,
    clock: systemClock,
    newRequestId: () => 'fresh-id',
  });
  const listener = await listen(router, { host: '127.0.0.1', port: 0, graceMs });
  open.push(listener);
  return listener;
}

function get(path: string, handle: Route['handle']): Route {
  return { method: 'GET', path, guard: 'client', handle };
}

function post(path: string, handle: Route['handle']): Route {
  return { method: 'POST', path, guard: 'client', handle };
}

async function send(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const request = httpRequest(url, { method: options.method ?? 'GET', headers: options.headers ?? {} });
  request.end(options.body);
  const response = await answered(request);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

async function answered(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

test('a route answers with its parameters, GET also to HEAD', async () => {
  const { url } = await serve([
    get('/engines/:name', ({ response, params }) => sendJson(response, 200, params)),
  ]);
  expect(await send(`${url}/engines/gpu%201?x=1`)).toMatchObject({ status: 200, body: '{"name":"gpu 1"}' });
  const head = await send(`${url}/engines/a`, { method: 'HEAD' });
  expect([head.status, head.headers['content-length'], head.body]).toEqual([200, '12', '']);
});

test('what is not there is answered in OpenAI form, with the request id and our mark', async () => {
  const { url } = await serve([post('/v1/chat/completions', () => {})]);
  const nothing = await send(`${url}/nothing`, { headers: { 'x-request-id': 'mine' } });
  expect(nothing.status).toBe(404);
  expect(nothing.headers['x-penstock-error']).toBe('unknown_endpoint');
  expect(nothing.headers['x-request-id']).toBe('mine');
  expect(JSON.parse(nothing.body)).toMatchObject({ error: { code: 'unknown_endpoint', param: null } });
  const method = await send(`${url}/v1/chat/completions`);
  expect([method.status, method.headers['allow'], method.headers['x-request-id']]).toEqual([
    405,
    'POST',
    'fresh-id',
  ]);
});

test('a handler that fails is answered with 500 and none of its text', async () => {
  const { url } = await serve([
    get('/thrown', () => {
      throw new Error('secret thing');
    }),
    get('/rejected', () => Promise.reject(new Error('secret thing'))),
  ]);
  for (const path of ['/thrown', '/rejected']) {
    const answer = await send(url + path);
    expect(answer.status).toBe(500);
    expect(answer.body).not.toContain('secret');
  }
});

test('a handler that fails after the head is cut off, not ended', async () => {
  const { url } = await serve([
    get('/', ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('half');
      throw new GatewayError('internal', 'broken');
    }),
  ]);
  await expect(send(`${url}/`)).rejects.toThrow();
});

test('Retry-After and further headers of an error are sent', async () => {
  const { url } = await serve([
    get('/', () => {
      throw new GatewayError('no_engine_available', 'none', { retryAfterSeconds: 1.2 });
    }),
  ]);
  expect((await send(`${url}/`)).headers['retry-after']).toBe('2');
});

test('a foreign host name is refused before anything else, a loopback one is not', async () => {
  const { url, port } = await serve([get('/', ({ response }) => sendJson(response, 200, {}))]);
  const foreign = await send(`${url}/`, { headers: { host: 'evil.example' } });
  expect(foreign.status).toBe(403);
  // Where it is a name of the operator's own, this is what to do about it.
  expect(foreign.body).toContain('name this host in `listen.allowedHosts`, or set `keys.client`');
  expect((await send(`${url}/`, { headers: { host: `localhost:${port}` } })).status).toBe(200);
});

test('keys guard routes and also paths that do not exist', async () => {
  const keys = { client: ['k'], scrape: [], admin: [] };
  const { url } = await serve([get('/', ({ response }) => sendJson(response, 200, {}))], keys);
  expect((await send(`${url}/`)).status).toBe(401);
  expect((await send(`${url}/nothing`)).status).toBe(401);
  expect(
    (await send(`${url}/`, { headers: { authorization: 'Bearer k', host: 'any.example' } })).status,
  ).toBe(200);
});

test('two slashes at the front do not become a host name', async () => {
  const { url } = await serve([get('/here', ({ response, url }) => sendJson(response, 200, url.pathname))]);
  const { hostname, port } = new URL(url);
  const request = httpRequest({ hostname, port, path: '//here' });
  request.end();
  expect(await text(await answered(request))).toBe('"/here"');
});

test('a body within the limit arrives whole, one above it gets 413 either way it comes', async () => {
  const { url } = await serve([
    post('/', async ({ request, response, signal }) => {
      const body = await readBody(request, 1000, signal);
      sendJson(response, 200, body.byteLength);
    }),
  ]);
  expect((await send(`${url}/`, { method: 'POST', body: Buffer.alloc(1000) })).body).toBe('1000');
  expect((await send(`${url}/`, { method: 'POST', body: Buffer.alloc(1001) })).status).toBe(413);
  const chunked = { 'transfer-encoding': 'chunked' };
  const large = await send(`${url}/`, { method: 'POST', body: Buffer.alloc(100_000), headers: chunked });
  expect([large.status, large.headers['x-penstock-error']]).toEqual([413, 'body_too_large']);
});

test('a client that asks for leave to send gets it when its body is read, and no leave when refused', async () => {
  const { url } = await serve([
    post('/read', async ({ request, response, signal }) => {
      sendJson(response, 200, (await readBody(request, 100, signal)).toString());
    }),
  ]);
  const asking = { expect: '100-continue', 'content-length': '5' };
  const accepted = httpRequest(`${url}/read`, { method: 'POST', headers: asking });
  accepted.flushHeaders();
  await once(accepted, 'continue');
  accepted.end('hello');
  expect(await text(await answered(accepted))).toBe('"hello"');

  const refused = httpRequest(`${url}/read`, {
    method: 'POST',
    headers: { expect: '100-continue', 'content-length': '101' },
  });
  let leave = false;
  refused.on('continue', () => {
    leave = true;
  });
  refused.on('error', () => {});
  refused.flushHeaders();
  expect((await answered(refused)).statusCode).toBe(413);
  expect(leave).toBe(false);
  refused.destroy();
});

test('the signal aborts when the client leaves', async () => {
  let seen: (reason: unknown) => void = () => {};
  const reason = new Promise<unknown>((resolve) => {
    seen = resolve;
  });
  let there: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    there = resolve;
  });
  const { url } = await serve([
    get('/', async ({ signal }: Exchange) => {
      there();
      await once(signal, 'abort');
      seen(signal.reason);
    }),
  ]);
  const request = httpRequest(`${url}/`).on('error', () => {});
  request.end();
  await arrived;
  request.destroy();
  expect(await reason).toMatchObject({ code: 'client_left' });
});

test('events are written with their framing, and the end is marked', async () => {
  const { url } = await serve([
    get('/', async ({ response }) => {
      const sse = new SseWriter(response);
      await sse.event({ a: 1 });
      await sse.event('two\nlines', 'named');
      await sse.comment('quiet');
      await sse.done();
    }),
  ]);
  const answer = await send(`${url}/`);
  expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
  expect(answer.body).toBe(
    'data: {"a":1}\n\nevent: named\ndata: two\ndata: lines\n\n: quiet\n\ndata: [DONE]\n\n',
  );
});

test('a reader that does not read holds the writer back, and its leaving ends the writing', async () => {
  let written = 0;
  let ended: (error: unknown) => void = () => {};
  const end = new Promise<unknown>((resolve) => {
    ended = resolve;
  });
  const { port } = await serve([
    get('/', async ({ response }) => {
      const sse = new SseWriter(response);
      try {
        for (;;) {
          await sse.event('x'.repeat(65_536));
          written += 1;
        }
      } catch (error) {
        ended(error);
      }
    }),
  ]);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.pause();
  let before = -1;
  while (before !== written) {
    before = written;
    await new Promise((resolve) => setImmediate(resolve));
    await systemClock.sleep(50);
  }
  expect(written).toBeLessThan(1000);
  socket.destroy();
  expect(await end).toMatchObject({ code: 'client_left' });
});

test('a stop waits for the running exchange and takes nothing new', async () => {
  let finish: () => void = () => {};
  let there: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    there = resolve;
  });
  const listener = await serve(
    [
      get('/', async ({ response }) => {
        there();
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        sendJson(response, 200, 'done');
      }),
    ],
    noKeys,
    60_000,
  );
  const running = send(`${listener.url}/`);
  await arrived;
  const stopped = listener.stop();
  await expect(send(`${listener.url}/`)).rejects.toThrow(/ECONNREFUSED/);
  finish();
  expect((await running).body).toBe('"done"');
  await stopped;
});

test('a stop cuts what still runs after the grace', async () => {
  const clock = new ManualClock();
  let there: () => void = () => {};
  const arrived = new Promise<void>((resolve) => {
    there = resolve;
  });
  const listener = await listen(() => there(), { host: '127.0.0.1', port: 0, graceMs: 5000, clock });
  const running = send(`${listener.url}/`);
  running.catch(() => {});
  await arrived;
  const stopped = listener.stop();
  await clock.advance(5000);
  await expect(running).rejects.toThrow();
  await stopped;
});

test('a taken port is explained to a person', async () => {
  const { port } = await serve([]);
  await expect(listen(() => {}, { host: '127.0.0.1', port, graceMs: 0 })).rejects.toThrow(
    `port ${port} on 127.0.0.1 is in use`,
  );
});
