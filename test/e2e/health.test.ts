import { once } from 'node:events';
import { expect, test } from 'vitest';

import { useApp, type WatchedEngine } from '../kit/app-gateway.ts';
import {
  chatStream,
  chunkBytes,
  jsonAnswer,
  lastChunk,
  type Script,
  streamHead,
  textEvent,
} from '../kit/fake-engine.ts';
import { ask, begin, headOf, readToTheEnd } from '../kit/http-client.ts';
import { chatBody, chatPath, streamBody } from '../kit/use-gateway.ts';
import { eventually } from './fleet.ts';

const { engineThat, appTo } = useApp();
const good = chatStream(['fine']);
const well: Script = ({ body }, socket) =>
  void socket.write(body.includes('"stream":true') ? good.wire : jsonAnswer({ ok: true }));

interface EngineRecord {
  readonly engine_name: string;
  readonly health: string;
  readonly reason: string | undefined;
  readonly facts: Readonly<Record<string, unknown>>;
}

async function engineRecord(url: string, name: string): Promise<EngineRecord> {
  const { engines } = (await (await fetch(`${url}/metrics`)).json()) as { engines: EngineRecord[] };
  const found = engines.find(({ engine_name }) => engine_name === name);
  if (found === undefined) throw new Error(`no engine ${name}`);
  return found;
}

const healthIs = (url: string, name: string, health: string): Promise<void> =>
  eventually(async () => expect((await engineRecord(url, name)).health).toBe(health));

async function allUp(url: string, names: readonly string[]): Promise<void> {
  for (const name of names) await healthIs(url, name, 'up');
}

const post = (url: string, body: object = chatBody) => ask(url + chatPath, { body });

test('requests that wait for an engine that hangs are answered by another, streamed or not', async () => {
  const [a, b] = [await engineThat(() => {}), await engineThat(well)];
  const { url } = await appTo({ a, b });
  await allUp(url, ['a', 'b']);
  // Enough of them that some are on a whatever the policy draws.
  const answers = Array.from({ length: 12 }, (_, at) => post(url, at % 2 === 0 ? chatBody : streamBody));
  await eventually(() => expect(requestsAt(a)).toBeGreaterThan(0));
  a.hangs = true;
  for (const [at, { status, text }] of (await Promise.all(answers)).entries()) {
    expect([status, text]).toEqual([200, at % 2 === 0 ? '{"ok":true}' : good.body]);
  }
  expect(await engineRecord(url, 'a')).toMatchObject({ health: 'down', facts: { engine_in_flight: 0 } });
});

function requestsAt({ requests }: WatchedEngine): number {
  return requests.filter(({ method }) => method === 'POST').length;
}

test('a hung engine delays nobody who is on another, and gets nothing new', async () => {
  const engines = [
    await engineThat(well),
    await engineThat(well),
    await engineThat(well),
    await engineThat(well),
  ] as const;
  const [a, b, c, d] = engines;
  const { url } = await appTo({ a, b, c, d });
  await allUp(url, ['a', 'b', 'c', 'd']);
  a.hangs = true;
  await healthIs(url, 'a', 'down');
  const before = requestsAt(a);
  for (const { status } of await Promise.all(Array.from({ length: 40 }, () => post(url)))) {
    expect(status).toBe(200);
  }
  expect(requestsAt(a)).toBe(before);
});

test('a stream on an engine that hangs in its middle ends with an error event', async () => {
  const a = await engineThat(
    (_request, socket) => void socket.write(streamHead + chunkBytes(textEvent('one')).toString()),
  );
  const { url } = await appTo({ a });
  await allUp(url, ['a']);
  const response = await headOf(begin(url + chatPath, { body: streamBody }));
  await once(response, 'readable');
  a.hangs = true;
  const { text, whole } = await readToTheEnd(response);
  expect([whole, text.includes('engine_broke_stream')]).toEqual([false, true]);
});

test('a stream that goes on outlives an engine’s listener: told to stop, it may finish', async () => {
  let write = (_data: string): void => {};
  const a = await engineThat((_request, socket) => {
    socket.write(streamHead);
    write = (data) => void socket.write(chunkBytes(data));
  });
  const { url } = await appTo({ a });
  await allUp(url, ['a']);
  const request = begin(url + chatPath, { body: streamBody });
  await eventually(() => expect(requestsAt(a)).toBe(1));
  a.hangs = true;
  let sent = 0;
  write(textEvent('0'));
  const response = await headOf(request);
  await eventually(async () => {
    sent += 1;
    write(textEvent(String(sent)));
    expect((await engineRecord(url, 'a')).health).toBe('down');
  });
  write(good.body);
  response.on('data', () => {});
  a.hangs = false;
  await healthIs(url, 'a', 'up');
  expect(response.destroyed).toBe(false);
  request.destroy();
});

test('an engine whose health path refuses gets nothing, though its page comes, until it is well again', async () => {
  const [a, b] = [await engineThat(well), await engineThat(well)];
  const { url, lines } = await appTo({ a, b });
  await allUp(url, ['a', 'b']);
  a.healthStatus = 503;
  await healthIs(url, 'a', 'down');
  expect(lines.some(({ message, fields }) => message === 'engine lost' && fields['engine'] === 'a')).toBe(
    true,
  );
  const before = requestsAt(a);
  for (let at = 0; at < 10; at += 1) await post(url);
  expect(requestsAt(a)).toBe(before);
  a.healthStatus = 200;
  await healthIs(url, 'a', 'up');
});

test.each([404, 429])('a health path that answers %d does not take an engine away', async (status) => {
  const a = await engineThat(well);
  a.healthStatus = status;
  const { url } = await appTo({ a });
  await allUp(url, ['a']);
  await eventually(() => {
    expect(a.requests.filter(({ target }) => target === '/health').length).toBeGreaterThan(8);
  });
  expect((await post(url)).status).toBe(200);
});

test('fifty requests that wait when an engine is killed are all answered by the other', async () => {
  const [a, b] = [await engineThat(() => {}), await engineThat(well)];
  const { url } = await appTo({ a, b }, { routing: { policy: 'round-robin' } });
  await allUp(url, ['a', 'b']);
  const answers = Array.from({ length: 50 }, () => post(url, streamBody));
  await eventually(() => expect(requestsAt(a)).toBe(25));
  await a.stop();
  for (const { status, text } of await Promise.all(answers)) expect([status, text]).toEqual([200, good.body]);
  const { facts } = await engineRecord(url, 'a');
  expect(facts['engine_breaker_state']).toContainEqual({ labels: { state: 'open' }, value: 1 });
  expect(facts['engine_faults_total']).toContainEqual({
    labels: { cause: 'died' },
    value: expect.any(Number),
  });
});

/** A stream in three acts: its head, its first event, and after the word is given its end. */
function staged() {
  const waiting: (() => void)[] = [];
  const script: Script = ({ index }, socket) => {
    // Every third has nothing yet, every third a head, every third its first event.
    if (index % 3 > 0) socket.write(streamHead);
    if (index % 3 > 1) socket.write(chunkBytes(textEvent('first')));
    waiting.push(() => {
      if (index % 3 === 0) socket.write(streamHead);
      if (index % 3 < 2) socket.write(chunkBytes(textEvent('first')));
      socket.write(chunkBytes('data: [DONE]\n\n').toString() + lastChunk);
    });
  };
  const finish = (): void => {
    for (const end of waiting.splice(0)) end();
  };
  return { script, finish };
}

test('two hundred streams on four engines, one killed: lost is only what had begun on that one', async () => {
  const parts = [staged(), staged(), staged(), staged()] as const;
  const [a, b, c, d] = [
    await engineThat(parts[0].script),
    await engineThat(parts[1].script),
    await engineThat(parts[2].script),
    await engineThat(parts[3].script),
  ];
  const { url } = await appTo({ a, b, c, d }, { routing: { policy: 'round-robin' } });
  await allUp(url, ['a', 'b', 'c', 'd']);
  const engines = [a, b, c, d];
  const answers = Array.from({ length: 200 }, async () => {
    const response = await headOf(begin(url + chatPath, { body: streamBody }));
    return { by: response.headers['x-penstock-engine'], ...(await readToTheEnd(response)) };
  });
  await eventually(() => expect(engines.map(requestsAt)).toEqual([50, 50, 50, 50]));
  const begun = a.requests.filter(({ method, index }) => method === 'POST' && index % 3 > 1).length;
  await a.stop();
  // What was moved waits on the others by now.
  await eventually(() =>
    expect(
      engines
        .slice(1)
        .map(requestsAt)
        .reduce((sum, one) => sum + one),
    ).toBe(200 - begun),
  );
  for (const { finish } of parts) finish();
  const whole = `${textEvent('first')}data: [DONE]\n\n`;
  const outcomes = await Promise.all(answers);
  const lost = outcomes.filter(({ text }) => text !== whole);
  expect(lost.length).toBe(begun);
  for (const { by, text, whole: ended } of lost) {
    expect([by, ended, text.startsWith(textEvent('first'))]).toEqual(['a', false, true]);
    expect(text).toContain('engine_broke_stream');
  }
});
