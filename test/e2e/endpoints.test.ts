import { expect, test } from 'vitest';

import { genericProfile } from '../../src/engines/generic.ts';
import { strata } from '../../src/engines/strata.ts';
import { vllm } from '../../src/engines/vllm.ts';
import { jsonAnswer, type Script } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { inOrder } from '../kit/test-gateway.ts';
import { chatBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

const has: Script = (_request, socket) => void socket.write(jsonAnswer({ data: [] }));
const hasNot: Script = (_request, socket) =>
  void socket.write(jsonAnswer({ detail: 'Not Found' }, '404 Not Found'));
const path = '/v1/embeddings';

test('a request goes to an engine whose kind has the endpoint', async () => {
  const [a, b] = [await engineThat(hasNot), await engineThat(has)];
  const gateway = await gatewayTo([], { policy: inOrder });
  gateway.learn({ name: 'a', url: a.url, profile: strata });
  gateway.learn({ name: 'b', url: b.url, profile: vllm });
  const asked = await ask(gateway.url + path, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  const [choice] = gateway.parts.choices.toArray();
  expect(choice?.excluded).toEqual([{ engine: 'a', reason: 'no-such-endpoint' }]);
});

test('where no kind is known to have it an engine is asked, and its no is told in full', async () => {
  const a = await engineThat(hasNot);
  const gateway = await gatewayTo([], { policy: inOrder });
  gateway.learn({ name: 'a', url: a.url, profile: strata });
  const asked = await ask(gateway.url + path, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([404, 'unknown_endpoint']);
  expect(asked.text).toContain(`has ${path}: a (${strata.title}) answered 404`);
  expect(a.requests).toHaveLength(1);
  expect([gateway.inFlight(), ...(gateway.fleet.get('a')?.faults ?? [])]).toEqual([0]);
});

test('an engine newer than what is known of its kind serves', async () => {
  const gateway = await gatewayTo([], { policy: inOrder });
  gateway.learn({ name: 'a', url: (await engineThat(has)).url, profile: strata });
  expect((await ask(gateway.url + path, { body: chatBody })).status).toBe(200);
});

test.each([
  ['of a kind that has it', vllm],
  ['of no known kind', genericProfile],
])('the 404 of an engine %s is its own', async (_what, profile) => {
  const gateway = await gatewayTo([], { policy: inOrder });
  gateway.learn({ name: 'a', url: (await engineThat(hasNot)).url, profile });
  const asked = await ask(gateway.url + path, { body: chatBody });
  expect([asked.status, asked.text]).toEqual([404, '{"detail":"Not Found"}']);
});
