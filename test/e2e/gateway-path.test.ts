import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  answerBytes,
  chatStream,
  chunkBytes,
  jsonAnswer,
  lastChunk,
  streamHead,
  textEvent,
} from '../kit/fake-engine.ts';
import { ask, begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

test('a request goes on as the bytes it was, and its answer comes back as the bytes it is', async () => {
  const body = '{ "model":"m",\n"messages":[ {"role":"user","content":"\\u00e9 é"}], "n": 1.0 }';
  const answer = '{"id": "x",  "choices":[],"usage":{"prompt_tokens":5,"completion_tokens":7}}';
  const engine = await engineThat((_request, socket) => {
    socket.write(answerBytes('200 OK', { 'content-type': 'application/json', 'x-own': 'yes' }, answer));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(`${gateway.url}${chatPath}?x=1&y`, { body, headers: { 'x-request-id': 'mine' } });
  expect(asked.text).toBe(answer);
  expect(asked.status).toBe(200);
  expect(asked.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': String(answer.length),
    'x-own': 'yes',
    'x-penstock-engine': 'a',
    'x-request-id': 'mine',
  });
  expect(engine.requests[0]).toMatchObject({ method: 'POST', target: `${chatPath}?x=1&y` });
  expect(engine.requests[0]?.body.toString()).toBe(body);
  expect(engine.requests[0]?.headers).toMatchObject({
    'x-request-id': 'mine',
    'content-length': String(Buffer.byteLength(body)),
    host: engine.url.slice('http://'.length),
  });
  expect(gateway.inFlight()).toBe(0);
});

test('a finished request is measured once and has one line in the log that holds everything', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({ usage: { prompt_tokens: 5, completion_tokens: 7 } }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url, key: 'engine-secret' }], {
    keys: { client: ['client-secret'], scrape: [], admin: [] },
  });
  await ask(gateway.url + chatPath, { body: chatBody, headers: { authorization: 'Bearer client-secret' } });
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.meter.finished).toMatchObject([
    {
      modelName: 'm',
      endpoint: 'chat/completions',
      status: 200,
      engine: { modelName: 'm', engineName: 'a', kind: 'vllm', runtimeName: 'vllm-m' },
      usage: { promptTokens: 5, completionTokens: 7 },
    },
  ]);
  expect(gateway.meter.choices).toEqual(['least-requests:only-candidate']);
  expect(gateway.meter.open()).toBe(0);
  expect(gateway.lines.filter(({ level }) => level !== 'debug')).toMatchObject([
    {
      level: 'info',
      message: 'request',
      fields: {
        requestId: 'fresh-id',
        path: chatPath,
        model: 'm',
        engine: 'a',
        status: 200,
        attempts: 1,
        promptTokens: 5,
        completionTokens: 7,
        bytesIn: expect.any(Number),
        bytesOut: expect.any(Number),
        durationMs: expect.any(Number),
      },
    },
  ]);
  expect(JSON.stringify(gateway.lines)).not.toContain('secret');
});

test('a stream is passed on event by event as the engine writes it', async () => {
  let write: (data: string) => void = () => {};
  const engine = await engineThat((_request, socket) => {
    socket.write(streamHead);
    write = (data) => socket.write(data);
  });
  // The head comes when it has been held long enough, with or without an event.
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }], { headAfterMs: 20 });
  const response = await headOf(begin(gateway.url + chatPath, { body: streamBody }));
  expect(response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  });
  let received = '';
  response.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  let sent = '';
  for (const word of ['one', 'two', 'three']) {
    sent += textEvent(word);
    write(chunkBytes(textEvent(word)).toString());
    await until(`"${word}" has come through`, () => received === sent);
  }
  write(lastChunk);
  await until('the answer is over', () => response.complete);
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.meter.firstTokens).toHaveLength(1);
  expect(gateway.meter.gaps).toHaveLength(2);
});

test('a stream cut into odd pieces comes through byte for byte', async () => {
  const { wire, body } = chatStream(['Hé', ' €', ' 😀', ' fin']);
  const engine = await engineThat(async ({ index }, socket) => {
    // From single bytes up to pieces that span several events.
    const size = index + 1;
    for (let at = 0; at < wire.byteLength; at += size) {
      if (!socket.write(wire.subarray(at, at + size))) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (let size = 1; size <= 24; size += 1) {
    expect((await ask(gateway.url + chatPath, { body: streamBody })).text).toBe(body);
  }
});

test('a first token is the first text, not the role', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(chatStream(['Hi']).wire);
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: streamBody });
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.meter.firstTokens).toHaveLength(1);
  expect(gateway.meter.gaps).toEqual([]);
});

test('any JSON endpoint below /v1 goes to an engine that serves the model', async () => {
  const engine = await engineThat(({ target }, socket) => {
    socket.write(jsonAnswer({ target }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: `${engine.url}/base` }]);
  for (const target of ['completions', 'embeddings', 'rerank', 'some/thing?q=1']) {
    const asked = await ask(`${gateway.url}/v1/${target}`, { body: { model: 'm' } });
    expect([asked.status, asked.text]).toEqual([200, JSON.stringify({ target: `/base/v1/${target}` })]);
  }
  await until('all are told', () => gateway.meter.finished.length === 4);
  expect(gateway.meter.finished.map(({ endpoint }) => endpoint)).toEqual([
    'completions',
    'embeddings',
    'rerank',
    'other',
  ]);
});

test('what is asked for where nothing is gets 404, and another method 405', async () => {
  const gateway = await gatewayTo([]);
  const unknown = await ask(`${gateway.url}/v1/nothing`);
  expect([unknown.status, unknown.headers['x-penstock-error']]).toEqual([404, 'unknown_endpoint']);
  const method = await ask(gateway.url + chatPath);
  expect([method.status, method.headers['allow']]).toEqual([405, 'POST']);
});

test('an unknown model is refused with the names there are, and its name becomes no label', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: 'http://127.0.0.1:9', models: ['b', 'c'] }], {
    aliases: { small: 'c', gone: 'nowhere' },
  });
  const asked = await ask(gateway.url + chatPath, { body: { ...chatBody, model: 'nope' } });
  expect(asked.status).toBe(404);
  expect(JSON.parse(asked.text)).toEqual({
    error: {
      message: 'No engine serves the model "nope"; there are: b, c, small',
      type: 'invalid_request_error',
      param: 'model',
      code: 'model_not_found',
    },
  });
  expect(gateway.meter.finished[0]).toMatchObject({ modelName: 'other', status: 404, engine: undefined });
  expect(gateway.meter.errors).toEqual(['model_not_found']);
});

test('a model whose engines are all down gets 503 with a time to come back', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: 'http://127.0.0.1:9' }]);
  for (let miss = 0; miss < 3; miss += 1) gateway.fleet.get('a')?.reportUnreachable('gone');
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['retry-after']]).toEqual([503, '2']);
  expect(asked.text).toContain('a is down');
});

test('bodies that cannot be routed are refused with the place', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: 'http://127.0.0.1:9' }], { bodyBytes: 100 });
  const bad = await ask(gateway.url + chatPath, { body: '{"model":"m",}' });
  expect([bad.status, bad.headers['x-penstock-error']]).toEqual([400, 'invalid_body']);
  expect(bad.text).toContain('line 1, column 14');
  expect((await ask(gateway.url + chatPath, { body: '{"model":3}' })).text).toContain('"param":"model"');
  expect((await ask(gateway.url + chatPath, { body: 'x'.repeat(101) })).status).toBe(413);
  const form = { 'content-type': 'multipart/form-data; boundary=x' };
  expect((await ask(gateway.url + chatPath, { body: 'x', headers: form })).text).toContain('multipart');
  const packed = await ask(gateway.url + chatPath, {
    body: chatBody,
    headers: { 'content-encoding': 'gzip' },
  });
  expect([packed.status, packed.text.includes('compressed')]).toEqual([400, true]);
  expect(gateway.meter.open()).toBe(0);
});

test('an alias changes the model in the body and nothing else', async () => {
  const engine = await engineThat(({ body }, socket) => {
    socket.write(answerBytes('200 OK', { 'content-type': 'text/plain' }, body));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url, models: ['org/long-name'] }], {
    aliases: { short: 'org/long-name' },
  });
  const body = '{"x": {"model":"short"}, "model" : "short","temperature":0.50}';
  expect((await ask(gateway.url + chatPath, { body })).text).toBe(
    '{"x": {"model":"short"}, "model" : "org/long-name","temperature":0.50}',
  );
  await until('it is told', () => gateway.meter.finished.length > 0);
  expect(gateway.meter.finished[0]).toMatchObject({
    modelName: 'org/long-name',
    engine: { modelName: 'org/long-name' },
  });
});

test('a compressed answer is passed on as it is', async () => {
  const packed = gzipSync('{"usage":{"prompt_tokens":1}}');
  const engine = await engineThat((_request, socket) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    socket.write(answerBytes('200 OK', headers, packed));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect(asked.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(asked.body).toString()).toBe('{"usage":{"prompt_tokens":1}}');
});

test('an engine that speaks HTTP/1.0 and ends by closing is passed on whole', async () => {
  const body = `${textEvent('Hi')}data: [DONE]\n\n`;
  const engine = await engineThat((_request, socket) => {
    socket.end(`HTTP/1.0 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${body}`);
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const response = await headOf(begin(gateway.url + chatPath, { body: streamBody }));
  expect(await readToTheEnd(response)).toEqual({ text: body, whole: true });
});

test('a burst through the real path splits evenly over equal engines', async () => {
  const engines = await Promise.all(
    [0, 1, 2].map(() =>
      engineThat(async (_request, socket) => {
        await until('all are there', () => arrived() === 12);
        socket.write(jsonAnswer({}));
      }),
    ),
  );
  const arrived = (): number => engines.reduce((total, { requests }) => total + requests.length, 0);
  const gateway = await gatewayTo(engines.map(({ url }, at) => ({ name: `e${at}`, url })));
  await Promise.all(Array.from({ length: 12 }, () => ask(gateway.url + chatPath, { body: chatBody })));
  expect(engines.map(({ requests }) => requests.length)).toEqual([4, 4, 4]);
  expect(gateway.inFlight()).toBe(0);
});
