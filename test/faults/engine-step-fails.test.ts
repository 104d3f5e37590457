import type { Socket } from 'node:net';
import { expect, test } from 'vitest';

import { defaultFleetSettings } from '../../src/fleet/fleet-settings.ts';
import { countingClock } from '../kit/counting-clock.ts';
import { chatStream, chunkBytes, jsonAnswer, textEvent } from '../kit/fake-engine.ts';
import { begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { type SteppingEngine, startSteppingEngine } from '../kit/stepping-engine.ts';
import { inOrder, startTestGateway, type TestGateway } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

/*
 * SQLite's way: the n-th step of an exchange fails, for n = 1, 2, 3, ... until one comes through without a fault. After
 * each: the right answer, and nothing left behind.
 */

const { engineThat } = useGateway();
const good = chatStream(['from', ' b']);
const plainGood = jsonAnswer({ from: 'b' });

const events = [textEvent('one'), textEvent('two'), finishEvent(), 'data: [DONE]\n\n'];
const streamWrites = [
  ['a part of the head', 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n'],
  ['the rest of the head', 'transfer-encoding: chunked\r\n\r\n'],
  ['a comment', chunkBytes(': ping\n\n')],
  ['half of the first event', chunkBytes(events[0]?.slice(0, 20) ?? '')],
  ['the other half', chunkBytes(events[0]?.slice(20) ?? '')],
  ['the second event', chunkBytes(events[1] ?? '')],
  ['the finish', chunkBytes(events[2] ?? '')],
  ['[DONE]', chunkBytes(events[3] ?? '')],
  ['the last chunk', '0\r\n'],
  ['a trailer', 'x-trailer: 1\r\n'],
  ['the end', '\r\n'],
] as const;
/** The client has all there is; how the connection ends is no matter of its. */
const AFTER_DONE: ReadonlySet<string> = new Set(['the last chunk', 'a trailer', 'the end']);
const plainWrites = [
  ['a part of the head', 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'],
  ['the rest of the head', 'content-length: 12\r\n\r\n'],
  ['the first of the body', '{"from"'],
  ['the rest of the body', ':"a"}'],
] as const;

function finishEvent(): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`;
}

type Failure = readonly [how: string, fail: (socket: Socket, gateway: TestGateway) => void];
const failures: readonly Failure[] = [
  ['closes', (socket) => void socket.destroy()],
  ['resets', (socket) => void socket.resetAndDestroy()],
  // Health finds out, since nothing else does.
  [
    'hangs',
    (_socket, { fleet }) => {
      setImmediate(() => {
        for (let miss = 0; miss < 3; miss += 1) fleet.get('a')?.reportMiss('timeout', 'no answer in time');
      });
    },
  ],
];

interface Run {
  readonly a: SteppingEngine;
  readonly gateway: TestGateway;
  readonly clock: ReturnType<typeof countingClock>;
  readonly counts: { exchanges: number };
}

async function startRun(writes: Parameters<typeof startSteppingEngine>[0]): Promise<Run> {
  const a = await startSteppingEngine(writes);
  const b = await engineThat(({ body }, socket) => {
    socket.write(body.includes('"stream":true') ? good.wire : plainGood);
  });
  const clock = countingClock();
  // What is tested is each fault by itself, so their number does not matter here.
  const never = { ...defaultFleetSettings.breaker, faultsInARow: 1_000_000, leastInWindow: 1_000_000 };
  const gateway = await startTestGateway(
    [
      { name: 'a', url: a.url },
      { name: 'b', url: b.url },
    ],
    { policy: inOrder, clock, fleetSettings: { ...defaultFleetSettings, slowStartMs: 0, breaker: never } },
  );
  return { a, gateway, clock, counts: { exchanges: 0 } };
}

async function stopRun({ a, gateway }: Run): Promise<void> {
  await gateway.stop();
  await a.stop();
}

async function exchange({ gateway, counts }: Run, body: object) {
  counts.exchanges += 1;
  const response = await headOf(begin(gateway.url + chatPath, { body }));
  return {
    status: response.statusCode,
    engine: response.headers['x-penstock-engine'],
    ...(await readToTheEnd(response)),
  };
}

async function nothingIsLeft({ a, gateway, clock, counts }: Run, step: string): Promise<void> {
  await until(`${step}: told`, () => gateway.meter.finished.length === counts.exchanges);
  await until(`${step}: nothing in flight`, () => gateway.inFlight() === 0 && gateway.meter.open() === 0);
  await until(`${step}: no timer`, () => clock.sleeping === 0);
  // One may be kept for the next request.
  await until(`${step}: no connection`, () => a.connections() <= 1);
  expect([step, gateway.fleet.get('b')?.faults.size, gateway.fleet.get('b')?.view().health]).toEqual([
    step,
    0,
    'up',
  ]);
  gateway.fleet.get('a')?.reportAlive(clock.now());
}

function tcpSockets(): number {
  return process.getActiveResourcesInfo().filter((one) => one === 'TCPSocketWrap').length;
}

const cases = failures.flatMap((failure) => [
  [...failure, 'on a fresh connection', false] as const,
  [...failure, 'on a reused one', true] as const,
]);

test.each(cases)(
  'a stream whose engine %s at any step: answered by the other, or told',
  async (_how, fail, _on, reused) => {
    const before = tcpSockets();
    const run = await startRun(streamWrites);
    const { a, gateway } = run;
    const seen: string[] = [];
    for (let step = 1; ; step += 1) {
      if (reused) await exchange(run, streamBody);
      a.arm(step, (socket) => fail(socket, gateway));
      const answer = await exchange(run, streamBody);
      const at = a.failedAt;
      if (at === undefined) {
        expect([answer.text, answer.whole, answer.engine]).toEqual([
          `: ping\n\n${events.join('')}`,
          true,
          'a',
        ]);
        break;
      }
      seen.push(at);
      if (answer.engine === 'b') expect([at, answer.text, answer.whole]).toEqual([at, good.body, true]);
      else if (AFTER_DONE.has(at)) {
        expect([at, answer.text, answer.whole]).toEqual([at, `: ping\n\n${events.join('')}`, true]);
      } else if (answer.text.includes('engine_broke_stream')) {
        // Only after the first event; whole events of a, then one that says so, and no end.
        const told = answer.text.split('\n\n').filter((event) => event.startsWith('data: '));
        const brought = told.slice(0, -1).map((event) => `${event}\n\n`);
        expect([at, brought.length > 0, answer.whole, answer.status]).toEqual([at, true, false, 200]);
        expect(events.slice(0, brought.length)).toEqual(brought);
      } else {
        // A reused connection that closed: once more on a fresh one, of the same engine.
        expect([at, reused, answer.engine, answer.whole]).toEqual([at, true, 'a', true]);
      }
      await nothingIsLeft(run, at);
    }
    const names = [
      'read the first of the request',
      'read all of the request',
      ...streamWrites.map(([name]) => name),
    ];
    expect(seen.filter((name) => name !== 'connect')).toEqual(names);
    await stopRun(run);
    await until('every socket is closed', () => tcpSockets() <= before);
  },
);

test.each(cases)('a plain answer whose engine %s at any step', async (_how, fail, _on, reused) => {
  const run = await startRun(plainWrites);
  const { a, gateway } = run;
  const seen: string[] = [];
  for (let step = 1; ; step += 1) {
    if (reused) await exchange(run, chatBody);
    a.arm(step, (socket) => fail(socket, gateway));
    // A break in the middle of the body cuts the connection, and nothing else can be said.
    const answer = await exchange(run, chatBody);
    const at = a.failedAt;
    if (at === undefined) {
      expect([answer.text, answer.whole]).toEqual(['{"from":"a"}', true]);
      break;
    }
    seen.push(at);
    if (answer.engine === 'b') expect([at, answer.text, answer.whole]).toEqual([at, '{"from":"b"}', true]);
    else if (at === 'the rest of the body') expect([answer.text, answer.whole]).toEqual(['{"from"', false]);
    else expect([at, reused, answer.text]).toEqual([at, true, '{"from":"a"}']);
    await nothingIsLeft(run, at);
  }
  expect(seen.slice(-4)).toEqual(plainWrites.map(([name]) => name));
  await stopRun(run);
});
