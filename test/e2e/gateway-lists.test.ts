import { expect, test } from 'vitest';
import { jsonAnswer } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { chatBody, chatPath, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

test('models are listed once each, with aliases, and without those of engines that are down', async () => {
  const gateway = await gatewayTo(
    [
      { name: 'a', url: 'http://a', models: ['org/m', 'n'] },
      { name: 'b', url: 'http://b', models: ['org/m'] },
      { name: 'c', url: 'http://c', models: ['lost'] },
    ],
    { aliases: { small: 'n', ghost: 'lost' } },
  );
  for (let miss = 0; miss < 3; miss += 1) gateway.fleet.get('c')?.reportUnreachable('gone');
  const listed = JSON.parse((await ask(`${gateway.url}/v1/models`)).text);
  expect(listed).toEqual({
    object: 'list',
    data: ['org/m', 'n', 'small'].map((id) => ({ id, object: 'model', created: 0, owned_by: 'vllm' })),
  });
  for (const id of ['org/m', 'org%2Fm']) {
    expect(JSON.parse((await ask(`${gateway.url}/v1/models/${id}`)).text)).toMatchObject({ id: 'org/m' });
  }
  expect((await ask(`${gateway.url}/v1/models/lost`)).status).toBe(404);
});

test('choices can be looked at: newest first, with the numbers they were made by', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({}));
  });
  const gateway = await gatewayTo([
    { name: 'a', url: engine.url },
    { name: 'b', url: engine.url },
  ]);
  const other = gateway.fleet.get('a')?.begin();
  for (let miss = 0; miss < 3; miss += 1) gateway.fleet.get('b')?.reportUnreachable('gone');
  expect((await ask(`${gateway.url}/api/choices`)).text).toBe('[]\n');
  await ask(gateway.url + chatPath, { body: chatBody, headers: { 'x-request-id': 'first' } });
  await ask(gateway.url + chatPath, { body: chatBody, headers: { 'x-request-id': 'second' } });
  other?.end();
  const { text, headers } = await ask(`${gateway.url}/api/choices`);
  const choices = JSON.parse(text);
  // Each on a line of its own, and the prompt of a shell behind them.
  expect(text.split('\n').map((line) => line[0])).toEqual(['[', '{', '{', ']', undefined]);
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(choices).toMatchObject([
    {
      requestId: 'second',
      model: 'm',
      policy: 'least-requests',
      engine: 'a',
      reason: 'only-candidate',
      attempt: 1,
      candidates: [{ engine: 'a', load: 1, inFlight: 1, health: 'up' }],
      excluded: [{ engine: 'b', reason: 'down' }],
    },
    { requestId: 'first' },
  ]);
  expect(JSON.parse((await ask(`${gateway.url}/api/choices?limit=1`)).text)).toHaveLength(1);
  expect((await ask(`${gateway.url}/api/choices?limit=many`)).status).toBe(400);
});
