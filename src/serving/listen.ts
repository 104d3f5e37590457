import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';

import { type Clock, deadline, systemClock } from '../kit/clock.ts';
import { Connections } from './connections.ts';
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
  /** How long a client may take for the head of a request, from its connection or the head's first byte on; 60 s. */
  readonly headMs?: number;
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

/** A client that vanished without a word is asked after so long, and is gone when it does not answer. */
const TCP_KEEP_ALIVE_MS = 30_000;
/** How long a connection that was cut may take to say so. */
const CUT_MS = 1_000;

/** @throws Error with a message for a person when the address cannot be had. */
export async function listen(handler: RequestHandler, options: ListenOptions): Promise<Listener> {
  const { host, keepAliveMs = 65_000, headMs = 60_000, clock = systemClock } = options;
  const server = createServer({
    // An upload may take as long as it takes. Without a limit of its own the head would have none either.
    requestTimeout: 0,
    headersTimeout: headMs,
    connectionsCheckingInterval: headMs / 2,
    keepAliveTimeout: keepAliveMs,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    noDelay: true,
  });
  const connections = new Connections();
  let stopping: Promise<void> | undefined;
  server.on('connection', (socket) => connections.add(socket));

  const handle: RequestHandler = (request, response) => {
    if (stopping !== undefined) response.shouldKeepAlive = false;
    connections.begin(request, response);
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
    stopping ??= stopServer(server, connections, options.graceMs, clock);
    return stopping;
  };
  return {
    url: `http://${reachable(host)}:${port}`,
    host,
    port,
    stop,
    kill() {
      const stopped = stop();
      connections.cut();
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

/** Ends when all connections have, and in any case soon after the grace. */
async function stopServer(
  server: Server,
  connections: Connections,
  graceMs: number,
  clock: Clock,
): Promise<void> {
  const cancels: (() => void)[] = [];
  await new Promise<void>((resolve) => {
    const closed = new Promise((gone) => server.once('close', gone));
    // Not the HTTP server's own close: that cuts connections whose answer is complete but not yet sent.
    NetServer.prototype.close.call(server);
    void Promise.all([closed, connections.end()]).then(() => resolve());
    cancels.push(
      deadline(clock, graceMs, () => connections.cut()),
      deadline(clock, graceMs + CUT_MS, resolve),
    );
  });
  for (const cancel of cancels) cancel();
  // What the other left: the timer that looks after heads.
  server.close();
}

function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
}
