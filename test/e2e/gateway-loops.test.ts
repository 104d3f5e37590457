import { expect, test } from 'vitest';

import { jsonAnswer } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { inOrder, type TestGateway } from '../kit/test-gateway.ts';
import { chatBody, chatPath, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

async function gatewayOf(instanceId: string): Promise<TestGateway> {
  return gatewayTo([], { policy: inOrder, instanceId });
}

test('a gateway that is its own engine says so, once', async () => {
  const gateway = await gatewayOf('a');
  gateway.learn({ name: 'self', url: gateway.url });
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, JSON.parse(asked.text)]).toMatchObject([508, { error: { code: 'loop_detected' } }]);
  expect([gateway.meter.finished.length, gateway.meter.errors]).toEqual([2, ['loop_detected']]);
  expect(gateway.inFlight()).toBe(0);
});

test('two gateways that point at each other tell it after one round, and their real engine gets the request', async () => {
  const [a, b] = [await gatewayOf('a'), await gatewayOf('b')];
  a.learn({ name: 'b', url: b.url });
  b.learn({ name: 'a', url: a.url });
  const looped = await ask(a.url + chatPath, { body: chatBody });
  expect(looped.status).toBe(508);
  expect([a.meter.finished.length, b.meter.finished.length]).toEqual([2, 1]);

  const engine = await engineThat((_request, socket) => void socket.write(jsonAnswer({ choices: [] })));
  b.learn({ name: 'real', url: engine.url });
  const asked = await ask(a.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  expect(engine.requests.map(({ headers }) => headers['x-penstock-via'])).toEqual(['a, b']);
  // What gateways do to each other is no fault of an engine.
  expect([...(b.fleet.get('a')?.faults ?? [])]).toEqual([]);
  expect(b.meter.retries).toEqual(['loop']);
});
