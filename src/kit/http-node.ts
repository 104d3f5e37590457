import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request } from 'node:http';
import { Agent as HttpsAgent, request as requestTls } from 'node:https';

import { type Clock, deadline } from './clock.ts';
import { type HttpAnswer, type HttpClient, HttpFailure, type HttpGetOptions } from './http.ts';
import { httpFailureOf } from './http-failure-of.ts';
import { readBody } from './read-body.ts';

/** Below the idle close of the servers met most (uvicorn, cpp-httplib: 5 s), so that they do not close on us. */
const KEEP_IDLE_MS = 4_000;

/**
 * A client that keeps connections, over `node:http`: a scrape of every engine each second is most of what an idle
 * gateway does, and undici takes twice the time for it. `close` ends what still runs.
 */
export function nodeHttpClient({ clock }: { readonly clock: Clock }): HttpClient & {
  close(): Promise<void>;
} {
  const kept = { keepAlive: true, timeout: KEEP_IDLE_MS, scheduling: 'lifo' } as const;
  const agents: Agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  const running = new Set<ClientRequest>();
  const send: Send = (url, options, fresh) => {
    const sent = start(agents, url, options, fresh);
    running.add(sent);
    sent.once('close', () => running.delete(sent));
    return sent;
  };
  return {
    async close() {
      for (const sent of running) sent.destroy();
      agents.http.destroy();
      agents.https.destroy();
    },
    async get(url, options) {
      const first = await once(send, clock, url, options, false);
      // A kept connection that the server closed in the same moment says nothing about the server.
      const last = first === 'closed-before-answer' ? await once(send, clock, url, options, true) : first;
      if (last === 'closed-before-answer') throw new HttpFailure('cut-off', 'the connection was closed');
      return last;
    },
  };
}

interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

type Send = (url: URL, options: HttpGetOptions, fresh: boolean) => ClientRequest;

/** @param fresh on a connection of its own */
function start(agents: Agents, url: URL, { headers }: HttpGetOptions, fresh: boolean): ClientRequest {
  const tls = url.protocol === 'https:';
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (tls ? 443 : 80) : url.port,
    path: url.pathname + url.search,
    agent: fresh ? false : tls ? agents.https : agents.http,
    headers: { 'accept-encoding': 'gzip', ...headers },
    joinDuplicateHeaders: true,
  };
  return tls ? requestTls(options) : request(options);
}

function once(
  send: Send,
  clock: Clock,
  address: string,
  options: HttpGetOptions,
  fresh: boolean,
): Promise<HttpAnswer | 'closed-before-answer'> {
  const { timeoutMs, maxBytes, signal } = options;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const sent = send(new URL(address), options, fresh);
    let response: IncomingMessage | undefined;
    const settle = (): void => {
      callOff();
      signal?.removeEventListener('abort', leave);
    };
    const fail = (error: unknown): void => {
      settle();
      sent.destroy();
      reject(error);
    };
    const leave = (): void => fail(signal?.reason);
    const callOff = deadline(clock, timeoutMs, () =>
      fail(new HttpFailure('timeout', `no whole answer within ${timeoutMs} ms`)),
    );
    signal?.addEventListener('abort', leave, { once: true });
    sent.on('error', (error) => {
      if (sent.reusedSocket && response === undefined && isReset(error)) {
        settle();
        resolve('closed-before-answer');
      } else fail(httpFailureOf(error));
    });
    sent.on('response', (answer) => {
      response = answer;
      readBody(answer, maxBytes).then(
        (body) => {
          settle();
          resolve({ status: answer.statusCode ?? 0, headers: plainHeaders(answer.headers), body });
        },
        (error: unknown) => fail(httpFailureOf(error)),
      );
    });
    sent.end();
  });
}

function isReset(error: Error): boolean {
  const { code } = error as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function plainHeaders(headers: IncomingMessage['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return plain;
}
