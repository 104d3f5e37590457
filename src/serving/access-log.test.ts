import { afterEach, expect, test } from 'vitest';

import { collectingLog, type LogLine } from '../../test/kit/collecting-log.ts';
import { ask, begin, until } from '../../test/kit/http-client.ts';
import { systemClock } from '../kit/clock.ts';
import { sendJson } from './answer.ts';
import { GatewayError } from './errors.ts';
import { type Keys, noKeys } from './keys.ts';
import { type Listener, listen } from './listen.ts';
import { createRouter, type Exchange, type Route } from './routes.ts';

const open: Listener[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((listener) => listener.stop()));
});

const fine = ({ response }: Exchange): void => sendJson(response, 200, {});
const routes: readonly Route[] = [
  { method: 'GET', path: '/list', guard: 'client', handle: fine },
  { method: 'GET', path: '/page', guard: 'scrape', handle: fine },
  { method: 'GET', path: '/health', guard: 'open', handle: fine },
  { method: 'POST', path: '/own', guard: 'client', logs: true, handle: fine },
  {
    method: 'GET',
    path: '/broken',
    guard: 'client',
    handle() {
      throw new Error('a bug');
    },
  },
  {
    method: 'GET',
    path: '/unreachable',
    guard: 'client',
    handle() {
      throw new GatewayError('engine_unreachable', 'No connection');
    },
  },
  { method: 'GET', path: '/slow', guard: 'client', handle: () => {} },
];

async function serve(keys: Keys = noKeys) {
  const log = collectingLog();
  const router = createRouter(routes, {
    keys,
    hostCheck: { listenerHost: '127.0.0.1', keyless: keys.client.length === 0, allowed: [] },
    log,
    clock: systemClock,
    newRequestId: () => 'fresh-id',
  });
  const listener = await listen(router, { host: '127.0.0.1', port: 0, graceMs: 0 });
  open.push(listener);
  /** The one line that a request brings. */
  const lineOf = async (send: () => unknown): Promise<LogLine | undefined> => {
    log.lines.splice(0);
    await send();
    await until('there is a line', () => log.lines.length > 0);
    expect(log.lines).toHaveLength(1);
    return log.lines[0];
  };
  return { url: listener.url, lines: log.lines as LogLine[], lineOf };
}

test.each([
  ['GET', '/list', 'info', 200, undefined],
  ['GET', '/page', 'debug', 200, undefined],
  ['GET', '/health', 'debug', 200, undefined],
  ['GET', '/nothing', 'info', 404, 'unknown_endpoint'],
  ['POST', '/page', 'info', 405, 'method_not_allowed'],
  ['GET', '/unreachable', 'warn', 502, 'engine_unreachable'],
  ['GET', '/broken', 'error', 500, 'internal'],
])('%s %s is one line, at %s', async (method, path, level, status, code) => {
  const { url, lineOf } = await serve();
  const line = await lineOf(() => ask(`${url}${path}?secret=1`, { method }));
  expect([line?.level, line?.message]).toEqual([level, 'request']);
  expect(line?.fields).toMatchObject({
    requestId: 'fresh-id',
    method,
    path,
    status,
    code,
    client: '127.0.0.1',
  });
  expect(line?.fields['durationMs']).toBeGreaterThanOrEqual(0);
});

test('what is refused before its route is a line, also where the route writes its own', async () => {
  const { url, lineOf } = await serve({ ...noKeys, client: ['k'] });
  for (const path of ['/own', '/page']) {
    const line = await lineOf(() => ask(url + path, { body: {} }));
    expect(line).toMatchObject({ level: 'info', fields: { path, status: 401, code: 'invalid_api_key' } });
  }
  const keyless = await serve();
  const refused = await keyless.lineOf(() =>
    ask(`${keyless.url}/page`, { headers: { host: 'evil.example' } }),
  );
  expect(refused).toMatchObject({ level: 'info', fields: { status: 403, code: 'host_refused' } });
});

test('a route that writes its own line has no second one', async () => {
  const { url, lines } = await serve();
  await ask(`${url}/own`, { body: {} });
  await ask(`${url}/list`);
  await until('the other is told', () => lines.length > 0);
  expect(lines.map(({ fields }) => fields['path'])).toEqual(['/list']);
});

test('a client that leaves is a line', async () => {
  const { url, lineOf } = await serve();
  const line = await lineOf(async () => {
    const request = begin(`${url}/slow`);
    await new Promise((resolve) => request.once('finish', resolve));
    request.destroy();
  });
  expect(line).toMatchObject({ level: 'info', fields: { path: '/slow', status: 499 } });
});

test('a bug is told with its cause', async () => {
  const { url, lineOf } = await serve();
  expect((await lineOf(() => ask(`${url}/broken`)))?.fields['reason']).toContain('a bug');
});
