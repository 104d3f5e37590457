import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SteppingEngine {
  readonly url: string;
  /** The step of the next exchange that fails (1 is the first), and how. It fails once. */
  arm(step: number, fail: (socket: Socket) => void): void;
  /** What failed since it was armed; undefined when an exchange came through. */
  readonly failedAt: string | undefined;
  readonly requests: () => number;
  readonly connections: () => number;
  stop(): Promise<void>;
}

/**
 * An engine whose exchange is a row of steps: the connection, the first bytes of the request, all of it, then each of
 * these writes. The step that is armed is not taken: it fails in its place.
 */
export async function startSteppingEngine(
  writes: readonly (readonly [name: string, bytes: string | Uint8Array])[],
): Promise<SteppingEngine> {
  const sockets = new Set<Socket>();
  let requests = 0;
  let countdown = 0;
  let fail: (socket: Socket) => void = () => {};
  let failedAt: string | undefined;

  /** @returns whether the exchange goes on */
  function step(name: string, socket: Socket): boolean {
    if (countdown === 0 || failedAt !== undefined) return true;
    countdown -= 1;
    if (countdown > 0) return true;
    failedAt = name;
    fail(socket);
    return false;
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let goesOn = step('connect', socket);
    let pending = '';
    socket.on('data', (chunk: Buffer) => {
      if (!goesOn) return;
      if (pending === '') goesOn = step('read the first of the request', socket);
      pending += chunk.toString('latin1');
      if (!goesOn || !isWhole(pending)) return;
      pending = '';
      requests += 1;
      goesOn = step('read all of the request', socket);
      if (goesOn) void answer(socket);
    });

    async function answer(to: Socket): Promise<void> {
      for (const [name, bytes] of writes) {
        if (to.destroyed) return;
        goesOn = step(name, to);
        if (!goesOn) return;
        await new Promise((resolve) => to.write(bytes, resolve));
        // Each write in a packet of its own, as far as one can.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arm(at, how) {
      countdown = at;
      fail = how;
      failedAt = undefined;
    },
    get failedAt() {
      return failedAt;
    },
    requests: () => requests,
    connections: () => sockets.size,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function isWhole(bytes: string): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  const length = /^content-length: (\d+)\r?$/im.exec(bytes)?.[1];
  return end !== -1 && bytes.length >= end + 4 + Number(length ?? 0);
}
