import { buildConnector, Client, Pool } from 'undici';

import { reason } from '../kit/log.ts';
import { SocketWatch } from './socket-watch.ts';
import {
  type RawHeaders,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamRequest,
} from './upstream.ts';

export interface UpstreamSettings {
  readonly connectTimeoutMs: number;
  /** Idle connections are dropped after this: below uvicorn's 5 s, or a request meets a closing socket. */
  readonly idleMs: number;
}

export const upstreamDefaults: UpstreamSettings = { connectTimeoutMs: 5_000, idleMs: 4_000 };

/** undici with one pool an engine: as many connections as there are requests, each with one request at a time. */
export class UndiciUpstream implements Upstream {
  readonly #pools = new Map<string, Pool>();
  readonly #watch = new SocketWatch();
  readonly #options: Client.Options;

  constructor(settings: UpstreamSettings = upstreamDefaults) {
    const connect = buildConnector({ timeout: settings.connectTimeoutMs, keepAlive: true });
    this.#options = {
      pipelining: 1,
      // A queued request may be silent for as long as the queue is: no limit but the operator's.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: settings.idleMs,
      keepAliveMaxTimeout: settings.idleMs,
      connect: (options, callback) => {
        connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
          if (error !== null) {
            this.#watch.connectFailed(error);
            callback(error, null);
          } else {
            this.#watch.connected(socket);
            callback(null, socket);
          }
        });
      },
    };
  }

  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { signal } = request;
    signal.throwIfAborted();
    const url = new URL(request.url);
    const client = request.fresh ? new Client(url.origin, this.#options) : this.#poolOf(url.origin);
    try {
      const answer = await client.request({
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body,
        signal,
        responseHeaders: 'raw',
        reset: request.fresh,
      });
      if (client instanceof Client) answer.body.once('close', () => void client.destroy());
      return { status: answer.statusCode, headers: pairs(answer.headers), body: answer.body };
    } catch (error) {
      if (client instanceof Client) void client.destroy();
      signal.throwIfAborted();
      throw new UpstreamFailure(this.#watch.stageOf(error), reason(error), error);
    }
  }

  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((pool) => pool.destroy()));
    this.#watch.stop();
  }

  #poolOf(origin: string): Pool {
    const known = this.#pools.get(origin);
    if (known !== undefined) return known;
    const pool = new Pool(origin, { ...this.#options, connections: null });
    this.#pools.set(origin, pool);
    return pool;
  }
}

/** @param raw names and values in turn: undici gives them so under `responseHeaders: 'raw'`, its types do not know */
function pairs(raw: unknown): RawHeaders {
  const flat = raw as readonly string[];
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) headers.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return headers;
}
