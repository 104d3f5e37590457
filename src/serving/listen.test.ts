import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';

import { listen } from './listen.ts';

test('a client that leaves while the listener stops is known to have left when it has stopped', async () => {
  let left = false;
  let began = (): void => {};
  const handling = new Promise<void>((resolve) => {
    began = resolve;
  });
  const listener = await listen(
    (_request, response) => {
      response.once('close', () => {
        left = true;
      });
      began();
    },
    { host: '127.0.0.1', port: 0, graceMs: 60_000 },
  );
  const client = connect(listener.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await handling;
  const stopped = listener.stop();
  client.destroy();
  await stopped;
  expect(left).toBe(true);
});

test('a connection that never asked for anything does not hold up a stop', async () => {
  const listener = await listen(() => {}, { host: '127.0.0.1', port: 0, graceMs: 60_000 });
  const idle = connect(listener.port, '127.0.0.1');
  const closed = once(idle, 'close');
  idle.on('error', () => {});
  await once(idle, 'connect');
  await listener.stop();
  await closed;
});
