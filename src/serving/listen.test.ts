import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';

import { until } from '../../test/kit/http-client.ts';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import { type ListenOptions, listen } from './listen.ts';

const local: ListenOptions = { host: '127.0.0.1', port: 0, graceMs: 60_000 };

function head(path: string): string {
  return `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;
}

/** A client that sends this and notes what it hears. */
function client(port: number, says = ''): { readonly socket: Socket; readonly heard: () => string } {
  const socket = connect(port, '127.0.0.1', () => socket.write(says));
  let heard = '';
  socket
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
    });
  return { socket, heard: () => heard };
}

test('a client that leaves while the listener stops is known to have left when it has stopped', async () => {
  let left = false;
  let began = (): void => {};
  const handling = new Promise<void>((resolve) => {
    began = resolve;
  });
  const listener = await listen((_request, response) => {
    response.once('close', () => {
      left = true;
    });
    began();
  }, local);
  const client = connect(listener.port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await handling;
  const stopped = listener.stop();
  client.destroy();
  await stopped;
  expect(left).toBe(true);
});

test('a connection that never asked for anything does not hold up a stop', async () => {
  const listener = await listen(() => {}, local);
  const idle = connect(listener.port, '127.0.0.1');
  const closed = once(idle, 'close');
  idle.on('error', () => {});
  await once(idle, 'connect');
  await listener.stop();
  await closed;
});

test('clients that leave while their requests wait in line have left, for each of these', async () => {
  const open = new Set<string>();
  const listener = await listen((request, response) => {
    const path = request.url ?? '';
    open.add(path);
    response.once('close', () => open.delete(path));
  }, local);
  const clients = Array.from({ length: 20 }, (_, at) =>
    client(listener.port, head(`/${at}/1`) + head(`/${at}/2`) + head(`/${at}/3`)),
  );
  await until('all are there', () => open.size === 60);
  for (const { socket } of clients) socket.destroy();
  await until('all have left', () => open.size === 0);
  await listener.stop();
});

test('requests that wait in line get their answers in turn, and the end of each is told once', async () => {
  const ends: string[] = [];
  const answers = new Map<string, () => void>();
  const listener = await listen((request, response) => {
    const path = request.url ?? '';
    response.on('close', () => ends.push(path));
    answers.set(path, () => response.end(`answer to ${path}`));
  }, local);
  const { socket, heard } = client(listener.port, head('/1') + head('/2') + head('/3'));
  await until('all are there', () => answers.size === 3);
  answers.get('/2')?.();
  answers.get('/1')?.();
  await until('two answers are', () => heard().includes('answer to /2'));
  expect(heard()).toMatch(/answer to \/1[\s\S]*answer to \/2/);
  socket.destroy();
  await until('all have ended', () => ends.length === 3);
  await listener.stop();
  expect(ends).toEqual(['/1', '/2', '/3']);
});

test('a stop waits for requests in line too, and cuts them after the grace', async () => {
  const clock = new ManualClock();
  let left = 0;
  let here = 0;
  const listener = await listen(
    (_request, response) => {
      here += 1;
      response.once('close', () => {
        left += 1;
      });
    },
    { ...local, clock },
  );
  const { socket } = client(listener.port, head('/1') + head('/2'));
  await until('both are there', () => here === 2);
  let stopped = false;
  const stop = listener.stop().then(() => {
    stopped = true;
  });
  await clock.advance(59_999);
  expect([stopped, left]).toEqual([false, 0]);
  await clock.advance(1);
  await stop;
  expect(left).toBe(2);
  expect(clock.sleeping).toBe(0);
  socket.destroy();
});

test('an answer that is complete but not yet sent is sent during a stop, while another one ends', async () => {
  const answer = Buffer.alloc(30_000_000, 'x');
  const finish: (() => void)[] = [];
  let here = 0;
  const listener = await listen((request, response) => {
    here += 1;
    if (request.url === '/large') response.end(answer);
    else finish.push(() => response.end('small'));
  }, local);
  const slow = connect(listener.port, '127.0.0.1', () => slow.write(head('/large')));
  slow.pause();
  const { heard } = client(listener.port, head('/small'));
  await until('both are there', () => here === 2);
  const stopped = listener.stop();
  finish[0]?.();
  await until('the small answer is', () => heard().includes('small'));
  let bytes = 0;
  slow.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  slow.resume();
  await once(slow, 'close');
  expect(bytes).toBeGreaterThan(answer.byteLength);
  await stopped;
});

test.each([
  ['says nothing', ''],
  ['does not end its head', 'GET / HTTP/1.1\r\nhost: localhost\r\nx-slow: '],
])('a client that %s is dropped after the time for a head', async (_what, says) => {
  const listener = await listen(() => {}, { ...local, headMs: 40 });
  const { socket } = client(listener.port, says);
  await once(socket, 'close');
  await listener.stop();
});
