import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

import { type Clock, deadline, systemClock } from '../kit/clock.ts';
import type { RequestHandler } from './routes.ts';

export interface ListenOptions {
  /** A literal address or `localhost`. */
  readonly host: string;
  /** 0: any free one; the listener tells which. */
  readonly port: number;
  /** How long `stop` waits for running exchanges. */
  readonly graceMs: number;
  /** How long an idle connection is kept; 65 s. */
  readonly keepAliveMs?: number;
  readonly clock?: Clock;
}

export interface Listener {
  /** `http://host:port`, as a client on this machine reaches it. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Takes no new connections, waits for running exchanges up to the grace, then cuts them. */
  stop(): Promise<void>;
  /** Cuts every connection at once, as a process that is killed. */
  kill(): Promise<void>;
}

/** @throws Error with a message for a person when the address cannot be had. */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listener> {
  const { host, keepAliveMs = 65_000, clock = systemClock } = options;
  // An upload may take as long as it takes: only the head has a time limit (Node's 60 s).
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: keepAliveMs, noDelay: true });
  let stopping: Promise<void> | undefined;
  const open = new Set<ServerResponse>();
  // Node does not count a connection as idle before its first request, and clients open some in advance.
  const unused = new Set<Socket>();
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });

  const handle: RequestHandler = (request, response) => {
    if (stopping !== undefined) response.shouldKeepAlive = false;
    unused.delete(request.socket);
    open.add(response);
    response.once('close', () => {
      open.delete(response);
      if (stopping !== undefined) setImmediate(() => server.closeIdleConnections());
    });
    handler(request, response);
  };
  server.on('request', handle);
  server.on('checkContinue', (request, response) => {
    // The client waits for leave to send: it gets it when somebody reads, so a refusal saves the upload.
    request.once('resume', () => {
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    });
    handle(request, response);
  });

  await bind(server, host, options.port);
  const { port } = server.address() as AddressInfo;
  const stop = (): Promise<void> => {
    stopping ??= stopServer(server, options.graceMs, clock).then(() => allClosed(open));
    for (const socket of unused) socket.destroy();
    return stopping;
  };
  return {
    url: `http://${reachable(host)}:${port}`,
    host,
    port,
    stop,
    kill() {
      const stopped = stop();
      server.closeAllConnections();
      return stopped;
    },
  };
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(bindError(error, host, port)));
    server.listen({ host, port }, resolve);
  });
}

function bindError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const why: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} on ${host} is in use`,
    EACCES: `port ${port} on ${host} is below 1024 and needs more rights`,
    EADDRNOTAVAIL: `${host} is not an address of this machine`,
    ENOTFOUND: `${host} is not known as a host name here`,
  };
  const message = why[error.code ?? ''] ?? `cannot listen on ${host} port ${port}: ${error.message}`;
  return new Error(message, { cause: error });
}

function stopServer(server: Server, graceMs: number, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const cancel = deadline(clock, graceMs, () => server.closeAllConnections());
    server.close(() => {
      cancel();
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** Node calls a server closed before its last connections have said so: whoever handles them must hear it first. */
async function allClosed(open: ReadonlySet<ServerResponse>): Promise<void> {
  await Promise.all([...open].map((response) => new Promise((resolve) => response.once('close', resolve))));
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
