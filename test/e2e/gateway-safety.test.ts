import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { answerBytes, jsonAnswer } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { chatBody, chatPath, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

test('health is always there, readiness is the gateway’s own, and a draining one takes nothing new', async () => {
  let state: 'starting' | 'ready' | 'draining' = 'starting';
  const keys = { client: ['k'], scrape: [], admin: [] };
  const gateway = await gatewayTo([{ name: 'a', url: 'http://127.0.0.1:9' }], {
    keys,
    readiness: () => state,
  });
  const seen = async (): Promise<number[]> => [
    (await ask(`${gateway.url}/health`)).status,
    (await ask(`${gateway.url}/ready`)).status,
  ];
  expect(await seen()).toEqual([200, 503]);
  state = 'ready';
  expect(await seen()).toEqual([200, 200]);
  state = 'draining';
  expect(await seen()).toEqual([200, 503]);
  const refused = await ask(gateway.url + chatPath, { body: chatBody, headers: { 'x-api-key': 'k' } });
  expect([refused.status, refused.headers['x-penstock-error']]).toEqual([503, 'draining']);
  expect(refused.headers['retry-after']).toBe('5');
});

test('keys guard requests and lists; one for scraping opens only the pages', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({}));
  });
  const keys = { client: ['k'], scrape: ['s'], admin: [] };
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }], { keys });
  const status = async (target: string, key: string, body?: object): Promise<number> =>
    (
      await ask(gateway.url + target, {
        headers: { 'x-api-key': key },
        ...(body === undefined ? {} : { body }),
      })
    ).status;
  expect(await status(chatPath, 'wrong', chatBody)).toBe(401);
  expect(await status(chatPath, 's', chatBody)).toBe(401);
  expect(await status(chatPath, 'k', chatBody)).toBe(200);
  expect(await status('/v1/models', 's')).toBe(401);
  expect(await status('/v1/models', 'k')).toBe(200);
  expect(await status('/api/choices', 's')).toBe(200);
  expect(await status('/api/choices', 'wrong')).toBe(401);
  expect(engine.requests).toHaveLength(1);
});

test('without keys only loopback names are answered', async () => {
  const gateway = await gatewayTo([]);
  const foreign = await ask(`${gateway.url}/v1/models`, { headers: { host: 'evil.example' } });
  expect([foreign.status, foreign.headers['x-penstock-error']]).toEqual([403, 'host_refused']);
});

test('without keys pages of other sites reach no engine, and with keys nobody asks where a page is from', async () => {
  const engine = await engineThat((_request, socket) => void socket.write(jsonAnswer({})));
  const engines = [{ name: 'a', url: engine.url }];
  const keyless = await gatewayTo(engines);
  const from = async (url: string, headers: Readonly<Record<string, string>>) => {
    const { status, headers: answered } = await ask(url + chatPath, {
      headers: { 'content-type': 'text/plain', ...headers },
      body: chatBody,
    });
    return [status, answered['x-penstock-error']];
  };
  const page = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  expect(await from(keyless.url, page)).toEqual([403, 'origin_refused']);
  expect(engine.requests).toHaveLength(0);
  expect(await from(keyless.url, { origin: keyless.url })).toEqual([200, undefined]);
  expect(await from(keyless.url, {})).toEqual([200, undefined]);
  const keyed = await gatewayTo(engines, { keys: { client: ['k'], scrape: [], admin: [] } });
  expect(await from(keyed.url, { ...page, 'x-api-key': 'k' })).toEqual([200, undefined]);
});

test('secrets and hop-by-hop headers stay on their side of the gateway', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(
      answerBytes('200 OK', {
        'content-type': 'application/json',
        connection: 'keep-alive, X-Engine-Hop',
        'x-engine-hop': '1',
        'keep-alive': 'timeout=5',
        'set-cookie': 'session=engine',
        'access-control-allow-origin': '*',
        'x-penstock-engine': 'somebody else',
        'x-request-id': 'engine-id',
        server: 'uvicorn',
      }),
    );
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url, key: 'engine-key' }], {
    keys: { client: ['client-key'], scrape: [], admin: [] },
  });
  const asked = await ask(gateway.url + chatPath, {
    body: chatBody,
    headers: {
      authorization: 'Bearer client-key',
      'x-api-key': 'client-key',
      'api-key': 'client-key',
      cookie: 'a=client-key',
      'proxy-authorization': 'client-key',
      connection: 'close, X-Client-Hop',
      'x-client-hop': '1',
      te: 'trailers',
      'x-penstock-trick': '1',
      'x-session-id': 's',
      'accept-encoding': 'gzip, br',
    },
  });
  const seen = engine.requests[0]?.headers ?? {};
  expect(engine.requests[0]?.head).not.toContain('client-key');
  expect(seen).toMatchObject({
    authorization: 'Bearer engine-key',
    'x-session-id': 's',
    'accept-encoding': 'gzip, br',
    'content-type': 'application/json',
  });
  for (const name of ['x-client-hop', 'te', 'x-penstock-trick', 'cookie', 'x-api-key']) {
    expect(seen[name]).toBeUndefined();
  }
  expect(asked.headers).toMatchObject({
    server: 'uvicorn',
    'x-penstock-engine': 'a',
    'x-request-id': 'fresh-id',
  });
  for (const name of ['x-engine-hop', 'keep-alive', 'set-cookie', 'access-control-allow-origin']) {
    expect(asked.headers[name]).toBeUndefined();
  }
  expect(asked.rawHeaders.join()).not.toContain('engine-key');
});

test('without a key of ours no authorization reaches the engine', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({}));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  await ask(gateway.url + chatPath, { body: chatBody, headers: { authorization: 'Bearer anything' } });
  expect(engine.requests[0]?.headers['authorization']).toBeUndefined();
});

test('a redirect to the engine’s own address stays at the gateway', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(answerBytes('307 Temporary Redirect', { location: `${engine.url}/v1/chat/completions` }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const asked = await ask(`${gateway.url}/v1/chat/completions/`, { body: chatBody });
  expect([asked.status, asked.headers['location']]).toEqual([307, '/v1/chat/completions']);
});

test('no way of writing the engine’s own address leads clients there', async () => {
  const engine = await engineThat(({ body }, socket) => {
    const { to } = JSON.parse(body.toString()) as { to: string };
    const location = to.replace('HOST', new URL(engine.url).host);
    socket.write(answerBytes('308 Permanent Redirect', { location, 'alt-svc': 'h3=":443"' }));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  const redirected = async (to: string): Promise<string | undefined> => {
    const { headers } = await ask(gateway.url + chatPath, { body: { ...chatBody, to } });
    expect(headers['alt-svc']).toBeUndefined();
    return headers['location'];
  };
  expect(await redirected('HTTP://HOST/v1/a?b=c#d')).toBe('/v1/a?b=c#d');
  expect(await redirected('//HOST/v1/a')).toBe('/v1/a');
  expect(await redirected('http://user:secret@HOST//elsewhere.example/')).toBe('/elsewhere.example/');
  expect(await redirected('http://HOST')).toBe('/');
  expect(await redirected('../a')).toBe('../a');
  expect(await redirected('https://elsewhere.example/a')).toBe('https://elsewhere.example/a');
  expect(await redirected('//elsewhere.example/a')).toBe('//elsewhere.example/a');
});

test('a client that expects 100-continue is told to go on, and one that is refused is not', async () => {
  const engine = await engineThat(({ body }, socket) => {
    socket.write(answerBytes('200 OK', { 'content-type': 'text/plain' }, body));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }], { bodyBytes: 50 });
  const speak = async (length: number, body: string): Promise<string> => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(
      `POST ${chatPath} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    );
    socket.once('data', (first: Buffer) => {
      if (first.toString().startsWith('HTTP/1.1 100')) socket.write(body);
      else socket.end();
    });
    return text(socket);
  };
  const accepted = await speak(13, '{"model":"m"}');
  expect(accepted).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  expect(accepted).toContain('{"model":"m"}');
  expect(engine.requests[0]?.headers['expect']).toBeUndefined();
  expect(await speak(51, '')).toMatch(/^HTTP\/1\.1 413 /);
});
