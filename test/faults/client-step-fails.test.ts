import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';

import { countingClock } from '../kit/counting-clock.ts';
import { chatStream, type FakeEngine, jsonAnswer, type Script } from '../kit/fake-engine.ts';
import { until } from '../kit/http-client.ts';
import type { TestGateway } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

/*
 * SQLite's way, from the client's side: it leaves instead of taking its n-th step (a write, a read), for n = 1, 2, 3, ...
 * until it takes them all. After each: the engine is rid of the request and nothing is left behind.
 */

const { engineThat, gatewayTo } = useGateway();
const { wire } = chatStream(['one', 'two', 'three', 'four']);
const pieces = Array.from({ length: 8 }, (_, at) => at);

/** Writes a piece of the answer for each read of the client: none is there before it is asked for. */
function piecewise(bytes: Buffer): { script: Script; next: () => Promise<void> } {
  let write = (): Promise<void> => Promise.resolve();
  return {
    next: () => write(),
    script(_request, socket) {
      let at = 0;
      const size = Math.ceil(bytes.byteLength / pieces.length);
      write = () => {
        const piece = bytes.subarray(at, at + size);
        at += size;
        return new Promise((resolve) => socket.write(piece, () => resolve()));
      };
    },
  };
}

const leaving = [
  ['closes', (socket: Socket) => void socket.destroy()],
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
  ['closes its side', (socket: Socket) => void socket.end()],
] as const;

interface Bench {
  readonly gateway: TestGateway;
  readonly engine: FakeEngine;
  readonly clock: ReturnType<typeof countingClock>;
  readonly next: () => Promise<void>;
}

async function bench(answer: Buffer): Promise<Bench> {
  const clock = countingClock();
  const { script, next } = piecewise(answer);
  const engine = await engineThat(script);
  return { engine, next, clock, gateway: await gatewayTo([{ name: 'a', url: engine.url }], { clock }) };
}

/** The client's steps, in order; each is known to have had its effect when it is over. */
function stepsOf({ gateway, engine, next }: Bench, body: object) {
  const text = JSON.stringify(body);
  const head = `POST ${chatPath} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
  const requests = engine.requests.length;
  const write =
    (bytes: string, seen: () => boolean = () => true) =>
    async (socket: Socket): Promise<void> => {
      await new Promise((resolve) => socket.write(bytes, resolve));
      await until('it was seen', seen);
    };
  return [
    ['writes a part of the head', write(head)],
    [
      'writes the rest of the head',
      write(`Content-Length: ${text.length}\r\n\r\n`, () => gateway.meter.open() === 1),
    ],
    ['writes a part of the body', write(text.slice(0, 10))],
    ['writes the rest of the body', write(text.slice(10), () => engine.requests.length > requests)],
    ...pieces.map((at) => [`reads piece ${at + 1}`, () => next()] as const),
  ] as const;
}

async function nothingIsLeft({ gateway, engine, clock }: Bench, step: string): Promise<void> {
  await until(`${step}: nothing in flight`, () => gateway.inFlight() === 0 && gateway.meter.open() === 0);
  await until(`${step}: the engine is rid of it`, () => engine.connections() === 0);
  await until(`${step}: no timer`, () => clock.sleeping === 0);
  expect([step, gateway.fleet.get('a')?.faults.size, gateway.meter.errors]).toEqual([step, 0, []]);
  expect(gateway.meter.finished.every(({ status }) => status === 499)).toBe(true);
}

test.each(
  leaving.flatMap(([how, leave]) => [
    ['a stream', how, streamBody, wire, leave] as const,
    ['a plain answer', how, chatBody, jsonAnswer({ text: 'x'.repeat(400) }), leave] as const,
  ]),
)('%s whose client %s at any step', async (_what, how, body, answer, leave) => {
  const made = await bench(answer);
  const { gateway } = made;
  for (let fails = 0; ; fails += 1) {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.resume();
    await once(socket, 'connect');
    const before = gateway.meter.finished.length;
    const steps = stepsOf(made, body);
    const failing = steps[fails];
    for (const [, take] of steps.slice(0, fails)) await take(socket);
    if (failing === undefined) {
      // Every step was taken: a whole answer, and a connection that may be used again.
      await until('it is told', () => gateway.meter.finished.length === before + 1);
      expect(gateway.meter.finished.at(-1)?.status).toBe(200);
      expect(gateway.inFlight()).toBe(0);
      socket.destroy();
      break;
    }
    leave(socket);
    await until(`${how} before it ${failing[0]}: gone`, () => socket.destroyed || socket.writableEnded);
    // Before the head was whole there was no request.
    if (fails >= 2) await until('it is told', () => gateway.meter.finished.length === before + 1);
    await nothingIsLeft(made, `${how} before it ${failing[0]}`);
    socket.destroy();
  }
});
