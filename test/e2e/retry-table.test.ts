import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, expect, test } from 'vitest';

import { profileOf } from '../../src/engines/index.ts';
import { systemClock } from '../../src/kit/clock.ts';
import {
  chatStream,
  chunkBytes,
  deadUrl,
  type FakeEngine,
  jsonAnswer,
  lastChunk,
  type Script,
  streamHead,
  textEvent,
} from '../kit/fake-engine.ts';
import { type Asked, ask, begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { leapingClock } from '../kit/leaping-clock.ts';
import { inOrder, type TestGateway, type TestGatewayOptions } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

/*
 * The retry table, row by row, each cause made for real on a socket. The engines are asked in the order a, b, c.
 */

const { engineThat, gatewayTo } = useGateway();
const good = chatStream(['fine']);
const plainGood = jsonAnswer({ choices: [] });

interface Bench {
  readonly gateway: TestGateway;
  readonly engines: readonly FakeEngine[];
  post(body?: object): Promise<Asked>;
  /** How many requests each engine got. */
  counts(): readonly number[];
  faults(engine?: string): Readonly<Record<string, number>>;
}

const answersWell: Script = ({ body }, socket) =>
  void socket.write(body.includes('"stream":true') ? good.wire : plainGood);

/** Engines a, b, c, ... of these scripts; one more that answers well comes last. */
async function bench(scripts: readonly Script[], options: TestGatewayOptions = {}): Promise<Bench> {
  const engines: FakeEngine[] = [];
  for (const script of [...scripts, answersWell]) engines.push(await engineThat(script));
  const named = engines.map(({ url }, at) => ({ name: 'abcd'[at] ?? 'z', url }));
  const gateway = await gatewayTo(named, { policy: inOrder, ...options });
  return {
    gateway,
    engines,
    post: (body = streamBody) => ask(gateway.url + chatPath, { body }),
    counts: () => engines.map(({ requests }) => requests.length),
    faults: (engine = 'a') => Object.fromEntries(gateway.fleet.get(engine)?.faults ?? []),
  };
}

async function servedByB({ gateway, post, counts }: Bench, cause: string, body: object): Promise<void> {
  const asked = await post(body);
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  expect(asked.text).toBe(body === streamBody ? good.body : '{"choices":[]}');
  expect(counts()).toEqual([1, 1]);
  expect(gateway.meter.retries).toEqual([cause]);
  await settled(gateway);
}

async function settled(gateway: TestGateway): Promise<void> {
  await until('all is settled', () => gateway.inFlight() === 0 && gateway.meter.open() === 0);
}

const both = [
  ['streamed', streamBody],
  ['plain', chatBody],
] as const;

// Row 1: nothing was sent.

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A TLS server without a certificate: every handshake fails. */
async function tlsThatFails(): Promise<string> {
  const server = createTlsServer({});
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ['refused', deadUrl],
  ['a name that is not known', () => Promise.resolve('http://name.invalid:1')],
  ['a TLS handshake that fails', tlsThatFails],
])('nothing was sent (%s): another engine at once, counts against the first', async (_how, url) => {
  const b = await engineThat(answersWell);
  const engines = [
    { name: 'a', url: await url() },
    { name: 'b', url: b.url },
  ];
  const gateway = await gatewayTo(engines, { policy: inOrder });
  const asked = await ask(gateway.url + chatPath, { body: streamBody });
  expect([asked.status, asked.text]).toEqual([200, good.body]);
  expect(gateway.meter.retries).toEqual(['unreachable']);
  expect([...(gateway.fleet.get('a')?.faults ?? [])]).toEqual([['unreachable', 1]]);
  expect(gateway.fleet.get('a')?.contact.missesInARow).toBe(1);
  await settled(gateway);
});

test('nothing was sent, and no other engine is there: 502 engine_unreachable', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: await tlsThatFails() }]);
  const asked = await ask(gateway.url + chatPath, { body: streamBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_unreachable']);
});

// Row 2: a reused connection that the engine closed. More of it in gateway-failures.test.ts.

const diesOnceWarm: Script = ({ index }, socket) =>
  void (index === 0 ? socket.write(plainGood) : socket.resetAndDestroy());

test('a reused connection that dies costs nobody anything while another engine is there', async () => {
  const made = await bench([diesOnceWarm]);
  await made.post(chatBody);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  expect([made.counts(), made.gateway.meter.retries]).toEqual([[2, 1], ['reused_socket']]);
  expect(made.faults()).toEqual({});
});

test('an engine that would have to load the model first is not asked for that: the same one is', async () => {
  const made = await bench([
    ({ index }, socket) => void (index === 1 ? socket.resetAndDestroy() : socket.write(plainGood)),
  ]);
  const other = made.gateway.fleet.get('b');
  const identity = other?.identity;
  if (identity === undefined) throw new Error('b is not there');
  other?.identify({ ...identity, models: identity.models.map((model) => ({ ...model, loaded: false })) });
  await made.post(chatBody);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'a']);
  expect([made.counts(), made.gateway.meter.retries]).toEqual([[3, 0], ['reused_socket']]);
});

test('without another engine it is tried once more on a fresh one, and what then dies is at fault', async () => {
  const engine = await engineThat(diesOnceWarm);
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: chatBody });
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect([engine.requests.length, gateway.meter.retries]).toEqual([3, ['reused_socket']]);
  expect(Object.fromEntries(gateway.fleet.get('a')?.faults ?? [])).toEqual({ died: 1 });
});

// Row 3: the connection died after the request was sent.

const deaths: readonly (readonly [how: string, die: (socket: Socket) => void])[] = [
  ['closes', (socket) => void socket.destroy()],
  ['resets', (socket) => void socket.resetAndDestroy()],
  ['dies in its status line', (socket) => void socket.write('HTTP/1.1 2', () => socket.destroy())],
  ['answers what is no HTTP', (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n')],
  ['sends headers without end', endlessHeaders],
  [
    'dies after the head of a plain answer',
    (socket) =>
      void socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n',
        () => socket.destroy(),
      ),
  ],
  ['dies after an early head, in prefill', (socket) => void socket.write(streamHead, () => socket.destroy())],
  [
    'dies in the middle of its first event',
    (socket) => void socket.write(streamHead + chunkBytes('data: {"cho').toString(), () => socket.destroy()),
  ],
  [
    'dies in the middle of an error',
    (socket) => void socket.write(errorHead(500, 50), () => socket.destroy()),
  ],
  ['ends its stream without an event', (socket) => void socket.write(streamHead + lastChunk)],
];

function endlessHeaders(socket: Socket): void {
  socket.write('HTTP/1.1 200 OK\r\n');
  const more = (): void => {
    if (socket.destroyed) return;
    socket.write(`x-more: ${'y'.repeat(500)}\r\n`);
    setImmediate(more);
  };
  more();
}

function errorHead(status: number, length: number): string {
  return `HTTP/1.1 ${status} Error\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n{"er`;
}

test.each(deaths)('an engine that %s soon after sending: once, on another', async (_how, die) => {
  const made = await bench([(_request, socket) => die(socket)]);
  await servedByB(made, 'died', streamBody);
  expect([made.faults(), made.faults('b')]).toEqual([{ died: 1 }, {}]);
});

test.each(deaths)('a body that makes two engines do so reaches no third: %s', async (_how, die) => {
  const made = await bench([(_request, socket) => die(socket), (_request, socket) => die(socket)]);
  const asked = await made.post();
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect(made.counts()).toEqual([1, 1, 0]);
  expect([made.faults('a'), made.faults('b')]).toEqual([{ died: 1 }, { died: 1 }]);
  await settled(made.gateway);
});

test('an engine that breaks off later than five seconds after sending, and is there: not again', async () => {
  const clock = leapingClock();
  const made = await bench(
    [
      (_request, socket) => {
        clock.leap(5_500);
        socket.destroy();
      },
    ],
    { clock },
  );
  const asked = await made.post();
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect([made.counts(), made.faults()]).toEqual([[1, 0], { died: 1 }]);
});

test('the same, and nobody listens there any more: it is dead, and what waited is moved', async () => {
  const clock = leapingClock();
  const made = await bench([() => {}], { clock });
  const answer = made.post();
  await until('it waits', () => made.engines[0]?.requests.length === 1);
  clock.leap(60_000);
  await made.engines[0]?.stop();
  expect([(await answer).text, made.gateway.meter.retries]).toEqual([good.body, ['declared_dead']]);
  expect(made.faults()).toEqual({ declared_dead: 1 });
});

// Row 4: 429 and 503.

test.each([
  [429, { 'retry-after': '7' }],
  [429, {}],
  [503, { 'retry-after': '7' }],
  [503, {}],
] as const)('%d with %o: another engine, and it counts against nobody', async (status, headers) => {
  const made = await bench([
    (_request, socket) => void socket.write(jsonAnswer({ error: 'busy' }, `${status} Busy`, { ...headers })),
  ]);
  await servedByB(made, 'busy', chatBody);
  expect(made.faults()).toEqual({});
  expect(made.gateway.fleet.get('a')?.view()).toMatchObject({ health: 'up', breaker: 'closed' });
});

test('when all are busy the last one’s answer goes through, with its Retry-After or without', async () => {
  for (const headers of [{ 'retry-after': '7' }, undefined]) {
    const busy: Script = (_request, socket) =>
      void socket.write(jsonAnswer({ error: 'busy' }, '503 Busy', headers));
    const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(busy)).url }]);
    const asked = await ask(gateway.url + chatPath, { body: chatBody });
    expect([asked.status, asked.text, asked.headers['retry-after']]).toEqual([
      503,
      '{"error":"busy"}',
      headers?.['retry-after'],
    ]);
    expect(asked.headers['x-penstock-error']).toBeUndefined();
  }
});

test('an engine that is busy a hundred times is as good as before', async () => {
  const busy: Script = (_request, socket) => void socket.write(jsonAnswer({}, '503 Busy'));
  const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(busy)).url }]);
  for (let at = 0; at < 100; at += 1) await ask(gateway.url + chatPath, { body: chatBody });
  expect(gateway.fleet.get('a')?.view()).toMatchObject({ health: 'up', breaker: 'closed' });
});

// Row 5: 500, 502, 504.

test.each([500, 502, 504])('%d: once on another engine, and it counts', async (status) => {
  const made = await bench([
    (_request, socket) => void socket.write(jsonAnswer({ detail: 'mine' }, `${status} Broken`)),
  ]);
  await servedByB(made, 'server_error', chatBody);
  expect(made.faults()).toEqual({ server_error: 1 });
});

test('after that the engine’s own answer goes through untouched', async () => {
  const broken =
    (name: string): Script =>
    (_request, socket) =>
      void socket.write(jsonAnswer({ by: name }, '500 Broken', { 'x-from': name }));
  const made = await bench([broken('a'), broken('b')]);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.text, asked.headers['x-from']]).toEqual([500, '{"by":"b"}', 'b']);
  expect(asked.headers['x-penstock-error']).toBeUndefined();
  expect([made.counts(), made.faults('a'), made.faults('b')]).toEqual([
    [1, 1, 0],
    { server_error: 1 },
    { server_error: 1 },
  ]);
  await settled(made.gateway);
});

test('with nobody else there it goes through at once', async () => {
  const broken: Script = (_request, socket) => void socket.write(jsonAnswer({ by: 'a' }, '502 Broken'));
  const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(broken)).url }]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.text]).toEqual([502, '{"by":"a"}']);
});

test('a 500 whose second engine dies is answered with that 500', async () => {
  const made = await bench([
    (_request, socket) => void socket.write(jsonAnswer({ by: 'a' }, '500 Broken')),
    (_request, socket) => void socket.destroy(),
  ]);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.text, made.counts()]).toEqual([500, '{"by":"a"}', [1, 1, 0]]);
});

test('an error too large to be read whole goes through whole', async () => {
  const body = 'x'.repeat(300_000);
  const broken: Script = (_request, socket) => void socket.write(jsonAnswer({ body }, '500 Broken'));
  const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(broken)).url }]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.text]).toEqual([500, JSON.stringify({ body })]);
  await settled(gateway);
});

test.each([
  ['never ends', 'HTTP/1.1 503 Busy\r\ncontent-length: 100\r\n\r\nhalf'],
  ['is large', `HTTP/1.1 500 Broken\r\ncontent-length: 900000\r\n\r\n${'x'.repeat(500_000)}`],
])('an error that %s holds no connection while another engine works', async (_how, wire) => {
  const made = await bench([
    (_request, socket) => void socket.write(wire),
    async (_request, socket) => {
      await until('the first connection is gone', () => made.engines[0]?.connections() === 0);
      socket.write(plainGood);
    },
  ]);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  await settled(made.gateway);
});

// Row 6: an error as the first event of a 200 stream.

function firstEventError(error: object): { script: Script; body: string } {
  const body = `data: ${JSON.stringify({ error })}\n\ndata: [DONE]\n\n`;
  return {
    body,
    script: (_request, socket) => void socket.write(streamHead + chunkBytes(body).toString() + lastChunk),
  };
}

/** What SGLang says when its queue is full. */
const full = firstEventError({
  object: 'error',
  message: 'The request queue is full.',
  type: 'SERVICE_UNAVAILABLE',
  param: null,
  code: 503,
});

test('SGLang’s full queue, told in a 200 stream, is a 503: another engine', async () => {
  const made = await bench([full.script]);
  await servedByB(made, 'busy', streamBody);
  expect(made.faults()).toEqual({});
});

test('when the queues of all are full, the last one’s stream goes through byte for byte', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(full.script)).url }]);
  const asked = await ask(gateway.url + chatPath, { body: streamBody });
  expect([asked.status, asked.text]).toEqual([200, full.body]);
  await settled(gateway);
  expect(gateway.fleet.get('a')?.faults.size).toBe(0);
});

test('a 500 in the first event is tried once elsewhere; one without a status as well', async () => {
  for (const error of [
    { message: 'x', code: 500 },
    { type: 'server_error', message: 'stopped' },
  ]) {
    const made = await bench([firstEventError(error).script]);
    await servedByB(made, 'server_error', streamBody);
    expect(made.faults()).toEqual({ server_error: 1 });
  }
});

test('a 400 in the first event is the client’s and goes through', async () => {
  const mistake = firstEventError({ message: 'too long', type: 'BadRequestError', code: 400 });
  const made = await bench([mistake.script]);
  const asked = await made.post();
  expect([asked.status, asked.text, made.counts(), made.faults()]).toEqual([200, mistake.body, [1, 0], {}]);
});

test('an error as a later event is the engine’s word to the client, and counts', async () => {
  const late = `${textEvent('one')}data: {"error":{"code":500,"message":"Context size has been exceeded."}}\n\n`;
  const made = await bench([
    (_request, socket) => void socket.write(streamHead + chunkBytes(late).toString() + lastChunk),
  ]);
  const asked = await made.post();
  expect([asked.status, asked.text, made.counts()]).toEqual([200, late, [1, 0]]);
  await settled(made.gateway);
  expect([made.faults(), made.gateway.meter.errors]).toEqual([{ error_event: 1 }, ['engine_broke_stream']]);
});

// Row 7: our own key to the engine.

test.each([401, 403])('our key refused with %d: another engine, and it is told of', async (status) => {
  const a = await engineThat((_request, socket) => void socket.write(jsonAnswer({}, `${status} No`)));
  const b = await engineThat(answersWell);
  const engines = [
    { name: 'a', url: a.url, key: 'wrong' },
    { name: 'b', url: b.url },
  ];
  const gateway = await gatewayTo(engines, { policy: inOrder });
  expect((await ask(gateway.url + chatPath, { body: streamBody })).text).toBe(good.body);
  expect([gateway.meter.retries, Object.fromEntries(gateway.fleet.get('a')?.faults ?? [])]).toEqual([
    ['engine_auth'],
    { engine_auth: 1 },
  ]);
  const alone = await gatewayTo(engines.slice(0, 1));
  const asked = await ask(alone.url + chatPath, { body: streamBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_auth']);
  await settled(alone);
});

// Row 8: 404 for a model the engine was listed with.

const noModel: Script = (_request, socket) =>
  void socket.write(
    jsonAnswer(
      { error: { message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 } },
      '404 Not Found',
    ),
  );

test('a model that is gone: the list is read again, another engine once', async () => {
  const made = await bench([noModel]);
  await servedByB(made, 'model_gone', streamBody);
  expect([made.gateway.relooked, made.faults()]).toEqual([['a'], {}]);
});

test('gone at two: the second one’s own 404, and both lists are read again', async () => {
  const made = await bench([noModel, noModel]);
  const asked = await made.post();
  expect([asked.status, made.counts(), made.gateway.relooked]).toEqual([404, [1, 1, 0], ['a', 'b']]);
});

test('a path that the engine does not have is the client’s 404', async () => {
  const made = await bench([
    (_request, socket) => void socket.write(jsonAnswer({ detail: 'Not Found' }, '404 Not Found')),
  ]);
  const asked = await made.post();
  expect([asked.status, asked.text, made.counts(), made.gateway.relooked]).toEqual([
    404,
    '{"detail":"Not Found"}',
    [1, 0],
    [],
  ]);
});

// Row 9: any other 4xx, and what a status says wrongly.

test('a thousand mistakes of a client change nothing for an engine', async () => {
  const strict: Script = (_request, socket) =>
    void socket.write(jsonAnswer({ error: 'no' }, '400 Bad Request'));
  const gateway = await gatewayTo([{ name: 'a', url: (await engineThat(strict)).url }]);
  for (let at = 0; at < 300; at += 1) await ask(gateway.url + chatPath, { body: chatBody });
  expect(gateway.fleet.get('a')?.view()).toMatchObject({ health: 'up', breaker: 'closed' });
  expect(gateway.fleet.get('a')?.faults.size).toBe(0);
});

test('llama.cpp’s 500 for malformed JSON is the client’s and goes through untouched', async () => {
  const said = {
    error: { code: 500, message: '[json.exception.parse_error.101] parse error', type: 'server_error' },
  };
  const profile = profileOf('llama-cpp');
  if (profile === undefined) throw new Error('no profile');
  const made = await bench([(_request, socket) => void socket.write(jsonAnswer(said, '500 Error'))], {
    profile,
  });
  const asked = await made.post();
  expect([asked.status, asked.text, made.counts(), made.faults()]).toEqual([
    500,
    JSON.stringify(said),
    [1, 0],
    {},
  ]);
});

test('TensorRT-LLM’s 400 for a fault of its device is the engine’s', async () => {
  const said = { object: 'error', message: 'CUDA runtime error in cudaMalloc: out of memory', code: 400 };
  const profile = profileOf('trtllm');
  if (profile === undefined) throw new Error('no profile');
  const made = await bench([(_request, socket) => void socket.write(jsonAnswer(said, '400 Bad Request'))], {
    profile,
  });
  await servedByB(made, 'server_error', chatBody);
});

// Row 10: declared dead by health.

function declareDead({ gateway }: Bench, engine = 'a'): void {
  for (let miss = 0; miss < 3; miss += 1)
    gateway.fleet.get(engine)?.reportMiss('timeout', 'no answer in time');
}

test.each(both)('an engine declared dead while a request waits: moved, %s', async (_mode, body) => {
  const made = await bench([() => {}]);
  const moved = servedByB(made, 'declared_dead', body);
  await until('it waits', () => made.engines[0]?.requests.length === 1);
  declareDead(made);
  await moved;
  await until('the engine is rid of it', () => made.engines[0]?.connections() === 0);
  expect(made.faults()).toEqual({ declared_dead: 1 });
});

test('declared dead after an early head, before the first event: moved as well', async () => {
  const made = await bench([(_request, socket) => void socket.write(streamHead)]);
  const moved = servedByB(made, 'declared_dead', streamBody);
  await until('it waits', () => made.engines[0]?.requests.length === 1);
  // Time for the head to arrive; the request is moved in either case.
  await systemClock.sleep(20);
  declareDead(made);
  await moved;
});

test('two engines declared dead over one body: not a third', async () => {
  const made = await bench([() => {}, () => {}]);
  const answer = made.post();
  await until('a has it', () => made.engines[0]?.requests.length === 1);
  declareDead(made, 'a');
  await until('b has it', () => made.engines[1]?.requests.length === 1);
  declareDead(made, 'b');
  const asked = await answer;
  expect([asked.status, asked.headers['x-penstock-error'], made.counts()]).toEqual([
    502,
    'engine_failed',
    [1, 1, 0],
  ]);
  expect(asked.text).toContain('stopped answering');
});

test('declared dead after the first event: one error event, no [DONE], the socket closed', async () => {
  const made = await bench([
    (_request, socket) => void socket.write(streamHead + chunkBytes(textEvent('one')).toString()),
  ]);
  const response = await headOf(begin(made.gateway.url + chatPath, { body: streamBody }));
  await once(response, 'readable');
  declareDead(made);
  const { text, whole } = await readToTheEnd(response);
  expect([whole, text.includes('[DONE]'), text.startsWith(textEvent('one'))]).toEqual([false, false, true]);
  expect(text).toContain('"code":"engine_broke_stream"');
  await settled(made.gateway);
  expect([made.counts(), made.faults()]).toEqual([[1, 0], { declared_dead: 1 }]);
  expect(made.gateway.lines.at(-1)?.fields['reason']).toContain('given up');
});

// After the head: never again.

test('death between chunks: an error event, nothing is tried again, and it counts', async () => {
  const made = await bench([
    (_request, socket) =>
      void socket.write(streamHead + chunkBytes(textEvent('one')).toString(), () => socket.resetAndDestroy()),
  ]);
  const response = await headOf(begin(made.gateway.url + chatPath, { body: streamBody }));
  const { text, whole } = await readToTheEnd(response);
  expect([whole, text.includes('engine_broke_stream'), text.includes('[DONE]')]).toEqual([
    false,
    true,
    false,
  ]);
  await settled(made.gateway);
  expect([made.counts(), made.faults()]).toEqual([[1, 0], { broke_off: 1 }]);
});

test.each([
  ['truncated JSON, its length told', 'content-length: 100\r\n\r\n{"half":'],
  ['truncated JSON in chunks', 'transfer-encoding: chunked\r\n\r\n8\r\n{"half":\r\n'],
  ['a chunk that is shorter than it says', 'transfer-encoding: chunked\r\n\r\nff\r\n{"half":'],
])('%s: a connection that is cut, and it counts', async (_how, rest) => {
  const made = await bench([
    (_request, socket) =>
      void socket.write(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${rest}`, () =>
        socket.destroy(),
      ),
  ]);
  const response = await headOf(begin(made.gateway.url + chatPath, { body: chatBody }));
  expect(await readToTheEnd(response)).toEqual({ text: '{"half":', whole: false });
  await settled(made.gateway);
  expect([made.counts(), made.faults()]).toEqual([[1, 0], { broke_off: 1 }]);
});

test('an answer longer than it says ends where it says, and the rest reaches nobody', async () => {
  const engine = await engineThat(({ index }, socket) => {
    if (index === 0) {
      socket.write(
        'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\npoison',
      );
    } else socket.write(jsonAnswer({ index }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  expect((await ask(gateway.url + chatPath, { body: chatBody })).text).toBe('{}');
  for (let index = 1; index < 4; index += 1) {
    const { text } = await ask(gateway.url + chatPath, { body: chatBody });
    expect(text).toBe(`{"index":${engine.requests.length - 1}}`);
  }
});

// A stream that ends as if all were well, without what ends one.

test('a stream that just stops counts as broken; its bytes pass as they are', async () => {
  // HTTP/1.0: the end of the connection is the end of the body, whatever ended it.
  const made = await bench([
    (_request, socket) =>
      void socket.write(`HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${textEvent('one')}`, () =>
        socket.end(),
      ),
  ]);
  const asked = await made.post();
  expect([asked.status, asked.text]).toEqual([200, textEvent('one')]);
  await settled(made.gateway);
  expect([made.faults(), made.gateway.meter.errors]).toEqual([{ unfinished: 1 }, ['engine_broke_stream']]);
  expect(made.gateway.meter.finished[0]?.status).toBe(502);
  expect(made.gateway.lines.at(-1)).toMatchObject({ level: 'warn', fields: { code: 'engine_broke_stream' } });
});

test('truncated JSON whose connection ends as if it were whole counts as broken', async () => {
  const made = await bench([
    (_request, socket) =>
      void socket.write('HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n{"half":', () =>
        socket.end(),
      ),
  ]);
  const asked = await made.post(chatBody);
  expect([asked.status, asked.text]).toEqual([200, '{"half":']);
  await settled(made.gateway);
  expect([made.faults(), made.gateway.meter.finished[0]?.status]).toEqual([{ unfinished: 1 }, 502]);
});

test('a stream that ends with its finish chunk alone is whole', async () => {
  const finish = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`;
  const made = await bench([
    (_request, socket) =>
      void socket.write(streamHead + chunkBytes(textEvent('a') + finish).toString() + lastChunk),
  ]);
  await made.post();
  await settled(made.gateway);
  expect([made.faults(), made.gateway.meter.errors]).toEqual([{}, []]);
});
