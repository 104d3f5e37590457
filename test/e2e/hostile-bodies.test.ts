import { expect, test } from 'vitest';

import { jsonAnswer } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { chatPath, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();
const MIB = 1024 ** 2;

async function gateway() {
  const engine = await engineThat(
    ({ body }, socket) => void socket.write(jsonAnswer({ bytes: body.length })),
  );
  return gatewayTo([{ name: 'a', url: engine.url }], { bodyBytes: 32 * MIB });
}

test('a body of nothing but brackets is refused at its depth', async () => {
  const { url } = await gateway();
  const body = `{"model":"m","messages":${'['.repeat(8 * MIB)}`;
  const asked = await ask(url + chatPath, { body });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([400, 'invalid_body']);
  expect(asked.text).toContain('opens more than 512 brackets');
});

test.each(['prompt', 'input', 'system', 'messages'])('a %s that is 20,000 deep is refused', async (name) => {
  const { url } = await gateway();
  const deep = '['.repeat(20_000) + ']'.repeat(20_000);
  const asked = await ask(url + chatPath, { body: `{"model":"m","${name}":${deep}}` });
  expect([asked.status, asked.headers['x-penstock-error']]).toEqual([400, 'invalid_body']);
});

test('values that have no text are passed on as they came', async () => {
  const { url } = await gateway();
  const odd = '{"toString":1,"valueOf":1}';
  const body = `{"model":"m","user":${odd},"stream":${odd},"prompt":${odd},"messages":[{"role":${odd}}]}`;
  const asked = await ask(url + chatPath, { body });
  expect([asked.status, asked.text]).toEqual([200, JSON.stringify({ bytes: body.length })]);
});

test('a body of a million small objects goes on as it came', async () => {
  const { url } = await gateway();
  const body = `{"model":"m","x":[${'{"a":[{}]},'.repeat(1_000_000)}1]}`;
  const asked = await ask(url + chatPath, { body });
  expect([asked.status, asked.text]).toEqual([200, JSON.stringify({ bytes: body.length })]);
});

test('a fault behind many lines is told with its place', async () => {
  const { url } = await gateway();
  const asked = await ask(url + chatPath, { body: `{"model":"m",${'\n'.repeat(4 * MIB)}x}` });
  expect(asked.status).toBe(400);
  expect(asked.text).toContain(`line ${4 * MIB + 1}, column 1`);
});
