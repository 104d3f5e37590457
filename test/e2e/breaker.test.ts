import { expect, test } from 'vitest';

import { chatStream, jsonAnswer, type Script } from '../kit/fake-engine.ts';
import { ask, begin, until } from '../kit/http-client.ts';
import { leapingClock } from '../kit/leaping-clock.ts';
import { inOrder, type TestGateway } from '../kit/test-gateway.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

const well: Script = (_request, socket) => void socket.write(jsonAnswer({ ok: true }));

/** An engine that can be broken and mended. */
async function breakable() {
  const state = { broken: true, hangs: false };
  const engine = await engineThat((_request, socket) => {
    if (state.hangs) return;
    socket.write(state.broken ? jsonAnswer({ by: 'a' }, '500 Broken') : jsonAnswer({ ok: true }));
  });
  return { state, engine };
}

const post = (gateway: TestGateway, body: object = chatBody) => ask(gateway.url + chatPath, { body });

async function withTwo() {
  const clock = leapingClock();
  const { state, engine: a } = await breakable();
  const b = await engineThat(well);
  const engines = [
    { name: 'a', url: a.url },
    { name: 'b', url: b.url },
  ];
  const gateway = await gatewayTo(engines, { policy: inOrder, clock });
  const view = () => gateway.fleet.get('a')?.view();
  const breakIt = async (): Promise<void> => {
    for (let at = 0; at < 5; at += 1) expect((await post(gateway)).status).toBe(200);
    expect(view()?.breaker).toBe('open');
  };
  return { clock, state, a, b, gateway, view, breakIt };
}

test('an engine that fails five requests in a row is passed over, and the choice says why', async () => {
  const { a, b, gateway, breakIt } = await withTwo();
  await breakIt();
  for (let at = 0; at < 10; at += 1) await post(gateway);
  expect([a.requests.length, b.requests.length]).toEqual([5, 15]);
  const [newest] = JSON.parse((await ask(`${gateway.url}/api/choices?limit=1`)).text);
  expect(newest).toMatchObject({
    engine: 'b',
    attempt: 1,
    excluded: [{ engine: 'a', reason: 'breaker-open' }],
  });
});

test('after its time one request tries it; failing, it is passed over for longer', async () => {
  const { clock, a, gateway, view, breakIt } = await withTwo();
  await breakIt();
  clock.leap(5_000);
  expect(view()?.breaker).toBe('half-open');
  expect((await post(gateway)).status).toBe(200);
  expect([a.requests.length, view()?.breaker]).toEqual([6, 'open']);
  clock.leap(5_000);
  await post(gateway);
  expect([a.requests.length, view()?.breaker]).toEqual([6, 'open']);
  clock.leap(5_000);
  await post(gateway);
  expect(a.requests.length).toBe(7);
});

test('mended, it is used again after one good answer, and slowly', async () => {
  const { clock, state, gateway, view, breakIt } = await withTwo();
  await breakIt();
  state.broken = false;
  clock.leap(5_000);
  expect((await post(gateway)).headers['x-penstock-engine']).toBe('a');
  expect(view()?.breaker).toBe('closed');
  expect(view()?.share).toBeCloseTo(0.1, 1);
  clock.leap(30_000);
  expect(view()?.share).toBe(1);
});

test('one whole answer between them forgives all faults before it', async () => {
  const { state, gateway, view } = await withTwo();
  for (let round = 0; round < 3; round += 1) {
    state.broken = true;
    for (let at = 0; at < 4; at += 1) await post(gateway);
    state.broken = false;
    expect((await post(gateway)).headers['x-penstock-engine']).toBe('a');
    await until('it is over', () => gateway.meter.open() === 0);
  }
  expect(view()?.breaker).toBe('closed');
});

test('while one request tries it the others go elsewhere; a client that leaves makes room for the next', async () => {
  const { clock, state, a, b, gateway, view, breakIt } = await withTwo();
  await breakIt();
  const before = b.requests.length;
  state.hangs = true;
  clock.leap(5_000);
  const probe = begin(gateway.url + chatPath, { body: chatBody });
  await until('the probe is there', () => a.requests.length === 6);
  for (let at = 0; at < 5; at += 1) await post(gateway);
  expect([a.requests.length, b.requests.length - before]).toEqual([6, 5]);
  probe.destroy();
  await until('it is over', () => view()?.inFlight === 0);
  expect(view()).toMatchObject({ breaker: 'half-open', breakerAdmits: true });
});

test('when the breakers of all are open requests are still sent: no fleet is made unroutable', async () => {
  const { state, engine: a } = await breakable();
  const gateway = await gatewayTo([{ name: 'a', url: a.url }], { policy: inOrder });
  for (let at = 0; at < 8; at += 1) {
    const { status, text } = await post(gateway);
    expect([status, text]).toEqual([500, '{"by":"a"}']);
  }
  expect(gateway.fleet.get('a')?.view().breaker).toBe('open');
  state.broken = false;
  expect((await post(gateway)).status).toBe(200);
  expect(gateway.fleet.get('a')?.view().breaker).toBe('closed');
});

test('an engine that breaks off every other stream is found by its share of faults', async () => {
  const { wire } = chatStream(['a', 'b', 'c']);
  const half = wire.subarray(0, wire.byteLength - 200);
  const engine = await engineThat(({ index }, socket) => {
    if (index % 2 === 0) socket.write(wire);
    else socket.write(half, () => socket.destroy());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (let at = 0; at < 20; at += 1) {
    await ask(gateway.url + chatPath, { body: streamBody }).catch(() => {});
    await until('it is over', () => gateway.meter.open() === 0);
  }
  expect(gateway.fleet.get('a')?.view().breaker).toBe('open');
});
