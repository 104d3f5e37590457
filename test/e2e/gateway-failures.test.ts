import { expect, test } from 'vitest';

import {
  answerBytes,
  chatStream,
  chunkBytes,
  deadUrl,
  jsonAnswer,
  streamHead,
  textEvent,
} from '../kit/fake-engine.ts';
import { ask, begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { inOrder } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();
const answering = (name: string) => engineThat((_request, socket) => void socket.write(jsonAnswer({ name })));

test('an engine that refuses the connection is passed over at once, and told of', async () => {
  const good = await answering('b');
  const gateway = await gatewayTo(
    [
      { name: 'a', url: await deadUrl() },
      { name: 'b', url: good.url },
    ],
    { policy: inOrder },
  );
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  expect(gateway.fleet.get('a')?.contact).toMatchObject({ missesInARow: 1 });
  expect(gateway.fleet.get('a')?.contact.reason).toContain('ECONNREFUSED');
  expect(gateway.meter.retries).toEqual(['unreachable']);
  const choices = JSON.parse((await ask(`${gateway.url}/api/choices`)).text);
  expect(choices).toMatchObject([
    { engine: 'b', attempt: 2, excluded: [{ engine: 'a', reason: 'tried' }] },
    { engine: 'a', attempt: 1 },
  ]);
  await ask(gateway.url + chatPath, { body: chatBody });
  await ask(gateway.url + chatPath, { body: chatBody });
  expect(gateway.fleet.get('a')?.contact.health).toBe('down');
  expect(gateway.inFlight()).toBe(0);
});

test('when no engine can be reached the client is told so', async () => {
  const gateway = await gatewayTo([
    { name: 'a', url: await deadUrl() },
    { name: 'b', url: 'http://name.invalid:1' },
  ]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_unreachable']);
  expect(gateway.meter.retries).toEqual(['unreachable']);
  expect(gateway.meter.errors).toEqual(['engine_unreachable']);
  expect(gateway.inFlight()).toBe(0);
});

test.each([429, 503])('an engine that says %d is passed over for another', async (status) => {
  const busy = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({ error: 'busy' }, `${status} Busy`, { 'retry-after': '7' }));
  });
  const good = await answering('b');
  const gateway = await gatewayTo(
    [
      { name: 'a', url: busy.url },
      { name: 'b', url: good.url },
    ],
    { policy: inOrder },
  );
  expect((await ask(gateway.url + chatPath, { body: chatBody })).text).toBe('{"name":"b"}');
  expect(gateway.fleet.get('a')?.contact).toMatchObject({ health: 'up', missesInARow: 0 });
  expect(gateway.meter.retries).toEqual(['busy']);
  expect(gateway.inFlight()).toBe(0);
});

test('when all are busy the last answer goes through untouched, its Retry-After with it', async () => {
  const says = (text: string, status: string) =>
    engineThat((_request, socket) => {
      socket.write(jsonAnswer({ error: text }, status, { 'retry-after': '7', 'x-from': text }));
    });
  const [a, b] = [
    await says('first', '429 Too Many Requests'),
    await says('second', '503 Service Unavailable'),
  ];
  const gateway = await gatewayTo(
    [
      { name: 'a', url: a.url },
      { name: 'b', url: b.url },
    ],
    { policy: inOrder },
  );
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.text]).toEqual([503, '{"error":"second"}']);
  expect(asked.headers).toMatchObject({ 'retry-after': '7', 'x-from': 'second', 'x-penstock-engine': 'b' });
  expect(asked.headers['x-penstock-error']).toBeUndefined();
  expect(gateway.meter.errors).toEqual([]);
  await until('all is settled', () => gateway.inFlight() === 0 && gateway.meter.open() === 0);
});

test('a busy answer is better than none when the other engine cannot be reached', async () => {
  const busy = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({}, '429 Busy', { 'retry-after': '7' }));
  });
  const gateway = await gatewayTo(
    [
      { name: 'a', url: busy.url },
      { name: 'b', url: await deadUrl() },
    ],
    { policy: inOrder },
  );
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['retry-after']]).toEqual([429, '7']);
  expect(gateway.inFlight()).toBe(0);
});

test.each([400, 404, 405, 413, 422, 501])('an engine’s own %d goes through untouched', async (status) => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({ detail: 'mine' }, `${status} Whatever`));
  });
  const other = await answering('b');
  const gateway = await gatewayTo(
    [
      { name: 'a', url: engine.url },
      { name: 'b', url: other.url },
    ],
    { policy: inOrder },
  );
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.text]).toEqual([status, '{"detail":"mine"}']);
  expect(other.requests).toHaveLength(0);
  expect(gateway.fleet.get('a')?.faults.size).toBe(0);
});

test('an engine that refuses our key is passed over, and the client never sees its 401', async () => {
  const locked = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({ error: { message: 'Invalid API Key' } }, '401 Unauthorized'));
  });
  const good = await answering('b');
  const engines = [
    { name: 'a', url: locked.url, key: 'wrong-key' },
    { name: 'b', url: good.url },
  ];
  const both = await gatewayTo(engines, { policy: inOrder });
  expect((await ask(both.url + chatPath, { body: chatBody })).text).toBe('{"name":"b"}');
  expect(both.lines.some(({ level, fields }) => level === 'warn' && fields['engine'] === 'a')).toBe(true);

  const alone = await gatewayTo(engines.slice(0, 1));
  const asked = await ask(alone.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_auth']);
  expect(asked.text).not.toContain('wrong-key');
  expect(alone.inFlight()).toBe(0);
});

test('a reused connection that the engine closed is tried once more on a fresh one', async () => {
  const engine = await engineThat(({ index, onSocket }, socket) => {
    // Reads the second request on a connection and hangs up, as uvicorn does at the end of its idle time.
    if (onSocket === 1) socket.destroy();
    else socket.write(jsonAnswer({ index }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  expect((await ask(gateway.url + chatPath, { body: chatBody })).text).toBe('{"index":0}');
  const second = await ask(gateway.url + chatPath, { body: chatBody });
  expect([second.status, second.text]).toEqual([200, '{"index":2}']);
  expect(engine.requests.map(({ onSocket }) => onSocket)).toEqual([0, 1, 0]);
  expect(gateway.meter.retries).toEqual(['reused_socket']);
  expect(gateway.fleet.get('a')?.contact.missesInARow).toBe(0);
  expect(gateway.inFlight()).toBe(0);
});

test('the same with a reset instead of a close', async () => {
  const engine = await engineThat(({ index, onSocket }, socket) => {
    if (onSocket === 1) socket.resetAndDestroy();
    else socket.write(jsonAnswer({ index }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: chatBody });
  expect((await ask(gateway.url + chatPath, { body: chatBody })).text).toBe('{"index":2}');
});

test('when the fresh connection dies too, it is the engine: no third time', async () => {
  const engine = await engineThat(({ index }, socket) => {
    if (index === 0) socket.write(jsonAnswer({}));
    else socket.destroy();
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: chatBody });
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect(engine.requests).toHaveLength(3);
  expect(gateway.inFlight()).toBe(0);
});

test('a fresh connection that dies after the request was sent is no case for trying again', async () => {
  const engine = await engineThat((_request, socket) => void socket.destroy());
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect(engine.requests).toHaveLength(1);
});

test('neither is a reused one that had begun to answer', async () => {
  const engine = await engineThat(({ onSocket }, socket) => {
    if (onSocket === 0) socket.write(jsonAnswer({}));
    else socket.write('HTTP/1.1 200', () => socket.destroy());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: chatBody });
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
  expect(engine.requests).toHaveLength(2);
});

test('an idle connection that the engine closed is not used again', async () => {
  const engine = await engineThat(({ index }, socket) => {
    socket.write(jsonAnswer({ index }), () => socket.end());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (let index = 0; index < 3; index += 1) {
    expect((await ask(gateway.url + chatPath, { body: chatBody })).text).toBe(`{"index":${index}}`);
    await until('the engine has closed', () => engine.connections() === 0);
  }
  expect(gateway.meter.retries).toEqual([]);
});

test('what is no HTTP is an engine that failed', async () => {
  const engine = await engineThat((_request, socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'));
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_failed']);
});

test.each([
  ['between events', chunkBytes(textEvent('one'))],
  ['in the middle of an event', Buffer.concat([chunkBytes(textEvent('one')), chunkBytes('data: {"choi')])],
  [
    'in the middle of a chunk',
    Buffer.concat([chunkBytes(textEvent('one')), Buffer.from('ff\r\ndata: {"ch')]),
  ],
])('an engine that dies %s leaves whole events and one that says so', async (_where, wire) => {
  const engine = await engineThat((_request, socket) => {
    socket.write(streamHead);
    socket.write(wire, () => socket.destroy());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const response = await headOf(begin(gateway.url + chatPath, { body: streamBody }));
  const { text, whole } = await readToTheEnd(response);
  expect(whole).toBe(false);
  const events = text.split('\n\n');
  expect(`${events[0]}\n\n`).toBe(textEvent('one'));
  expect(JSON.parse(events[1]?.replace('data: ', '') ?? '')).toMatchObject({
    error: { code: 'engine_broke_stream', type: 'server_error' },
  });
  expect(events.slice(2)).toEqual(['']);
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.meter.errors).toEqual(['engine_broke_stream']);
  expect(gateway.meter.finished[0]?.status).toBe(502);
  expect(gateway.inFlight()).toBe(0);
});

test('an engine that dies in the middle of a plain answer leaves a connection that is cut', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(
      'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"half":',
      () => socket.destroy(),
    );
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const response = await headOf(begin(gateway.url + chatPath, { body: chatBody }));
  expect(await readToTheEnd(response)).toEqual({ text: '{"half":', whole: false });
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.inFlight()).toBe(0);
});

test('what the engine itself says of its failure is passed on, without an ending it did not send', async () => {
  const error = 'data: {"error":{"code":500,"message":"Context size has been exceeded."}}\n\n';
  const engine = await engineThat((_request, socket) => {
    socket.write(streamHead);
    socket.write(chunkBytes(textEvent('one')));
    socket.write(`${chunkBytes(error).toString()}0\r\n\r\n`);
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(gateway.url + chatPath, { body: streamBody });
  expect(asked.text).toBe(textEvent('one') + error);
});

test('an engine that answers before it has read the request is heard', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(answerBytes('413 Payload Too Large', { connection: 'close' }, 'no'), () => socket.end());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  expect(await ask(gateway.url + chatPath, { body: chatBody })).toMatchObject({ status: 413, text: 'no' });
});

test('after any failure the next request is served', async () => {
  let dead = true;
  const { wire, body } = chatStream(['fine']);
  const engine = await engineThat((_request, socket) => {
    if (dead) socket.destroy();
    else socket.write(wire);
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (let at = 0; at < 5; at += 1) await ask(gateway.url + chatPath, { body: streamBody });
  dead = false;
  expect((await ask(gateway.url + chatPath, { body: streamBody })).text).toBe(body);
});
