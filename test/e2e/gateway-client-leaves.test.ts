import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';

import {
  chunkBytes,
  type FakeEngine,
  jsonAnswer,
  type Script,
  streamHead,
  textEvent,
} from '../kit/fake-engine.ts';
import { begin, headOf, until } from '../kit/http-client.ts';
import type { TestGateway, TestGatewayOptions } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

async function both(
  script: Script,
  options: TestGatewayOptions = {},
): Promise<{ engine: FakeEngine; gateway: TestGateway }> {
  const engine = await engineThat(script);
  return { engine, gateway: await gatewayTo([{ name: 'a', url: engine.url }], options) };
}

async function engineIsRid({ engine, gateway }: { engine: FakeEngine; gateway: TestGateway }): Promise<void> {
  await until('the engine’s connection is closed', () => engine.connections() === 0);
  await until('it is told', () => gateway.meter.finished.length === 1);
  // None in its place either: llama.cpp gives each connection a thread of few.
  expect(engine.accepted()).toBe(1);
  expect(gateway.inFlight()).toBe(0);
  expect(gateway.meter.open()).toBe(0);
  expect(gateway.meter.left()).toBe(1);
  expect(gateway.meter.errors).toEqual([]);
  expect(gateway.meter.retries).toEqual([]);
  expect(gateway.meter.finished[0]?.status).toBe(499);
  expect(gateway.fleet.get('a')?.contact.missesInARow).toBe(0);
  expect(gateway.lines.at(-1)).toMatchObject({ level: 'info', fields: { status: 499, code: 'client_left' } });
}

test.each([
  ['streamed', streamBody],
  ['not streamed', chatBody],
])('a client that leaves before the first byte, %s', async (_mode, body) => {
  const pair = await both(() => {});
  const request = begin(pair.gateway.url + chatPath, { body });
  await until('the engine has the request', () => pair.engine.requests.length === 1);
  expect(pair.gateway.inFlight()).toBe(1);
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves after the head and before the first event', async () => {
  const pair = await both((_request, socket) => void socket.write(streamHead), { headAfterMs: 20 });
  const request = begin(pair.gateway.url + chatPath, { body: streamBody });
  await headOf(request);
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves while the head is held for the first event', async () => {
  const pair = await both((_request, socket) => void socket.write(streamHead));
  const request = begin(pair.gateway.url + chatPath, { body: streamBody });
  await until('the engine has the request', () => pair.engine.requests.length === 1);
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves between chunks', async () => {
  const pair = await both((_request, socket) => {
    socket.write(streamHead);
    socket.write(chunkBytes(textEvent('one')));
  });
  const request = begin(pair.gateway.url + chatPath, { body: streamBody });
  const response = await headOf(request);
  await once(response, 'data');
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves in the middle of a plain answer', async () => {
  const pair = await both((_request, socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":');
  });
  const request = begin(pair.gateway.url + chatPath, { body: chatBody });
  const response = await headOf(request);
  await once(response, 'data');
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves while the engine writes without pause', async () => {
  const pair = await both((_request, socket) => {
    socket.write(streamHead);
    const more = (): void => {
      if (socket.destroyed) return;
      if (socket.write(chunkBytes(textEvent('x'.repeat(1000))))) setImmediate(more);
      else socket.once('drain', more);
    };
    more();
  });
  const request = begin(pair.gateway.url + chatPath, { body: streamBody });
  const response = await headOf(request);
  await once(response, 'data');
  request.destroy();
  await engineIsRid(pair);
});

test('a client that leaves while it still sends its request reaches no engine', async () => {
  const { engine, gateway } = await both(() => {});
  const socket = connect(gateway.port, '127.0.0.1');
  socket.write(`POST ${chatPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"model":`);
  await once(socket, 'connect');
  await until('the gateway has begun', () => gateway.meter.open() === 1);
  socket.destroy();
  await until('it is told', () => gateway.meter.finished.length === 1);
  expect(engine.requests).toHaveLength(0);
  expect([gateway.meter.left(), gateway.meter.finished[0]?.status]).toEqual([1, 499]);
});

test('a client that closes its side after sending is one that left', async () => {
  const pair = await both(() => {});
  const socket = connect(pair.gateway.port, '127.0.0.1');
  const body = JSON.stringify(streamBody);
  socket.write(
    `POST ${chatPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await until('the engine has the request', () => pair.engine.requests.length === 1);
  socket.end();
  await engineIsRid(pair);
});

test('clients that leave with a second request behind the first leave nothing behind', async () => {
  const { engine, gateway } = await both((_request, socket) => {
    socket.write(streamHead);
    socket.write(chunkBytes(textEvent('one')));
  });
  const body = JSON.stringify(streamBody);
  const request = `POST ${chatPath} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const clients = Array.from({ length: 20 }, () => connect(gateway.port, '127.0.0.1'));
  for (const client of clients) client.write(request + request);
  await until('the engine has all requests', () => engine.requests.length === 40);
  expect(gateway.inFlight()).toBe(40);
  for (const client of clients) client.destroy();
  await until('the engine is rid of all', () => engine.connections() === 0);
  await until('all are told', () => gateway.meter.finished.length === 40);
  expect([gateway.inFlight(), gateway.meter.open(), gateway.meter.left()]).toEqual([0, 0, 40]);
});

test('other requests to the same engine are not disturbed', async () => {
  const { engine, gateway } = await both(async ({ index }, socket) => {
    if (index === 1) return;
    await until(
      'the other has come and left',
      () => engine.requests.length === 2 && engine.connections() === 1,
    );
    socket.write(jsonAnswer({ index }));
  });
  const stays = begin(gateway.url + chatPath, { body: chatBody });
  await until('the first is there', () => engine.requests.length === 1);
  const leaves = begin(gateway.url + chatPath, { body: chatBody });
  await until('both are there', () => engine.requests.length === 2);
  leaves.destroy();
  expect((await headOf(stays)).statusCode).toBe(200);
});

test('a reader that does not read holds the engine back, and gets every byte in the end', async () => {
  const event = textEvent('x'.repeat(16_000));
  const count = 2_000;
  let written = 0;
  const { engine, gateway } = await both(async (_request, socket) => {
    socket.write(streamHead);
    for (let at = 0; at < count && !socket.destroyed; at += 1) {
      written += 1;
      if (!socket.write(chunkBytes(event))) await once(socket, 'drain');
    }
    socket.write('0\r\n\r\n');
  });
  const response = await headOf(begin(gateway.url + chatPath, { body: streamBody }));
  response.pause();
  let before = -1;
  await until('the engine stands still', () => {
    const still = written === before && written > 0;
    before = written;
    return still;
  });
  // All buffers of kernel and processes on the way: far from the 32 MB there are.
  expect(written).toBeLessThan(count / 2);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  response.resume();
  await once(response, 'end');
  expect([bytes, written]).toEqual([count * event.length, count]);
  await until('the engine’s request is over', () => gateway.inFlight() === 0);
  expect(engine.requests).toHaveLength(1);
});
