import type { Readable } from 'node:stream';
import { errors } from 'undici';

import { reason } from '../kit/log.ts';
import { type ConnectionSettings, EngineConnection } from './engine-connection.ts';
import { listens } from './listens.ts';
import { isOwnLimit } from './own-limit.ts';
import {
  type FailureStage,
  type RawHeaders,
  type Upstream,
  type UpstreamAnswer,
  UpstreamFailure,
  type UpstreamRequest,
} from './upstream.ts';

const upstreamDefaults: ConnectionSettings = {
  connectTimeoutMs: 5_000,
  idleMs: 4_000,
  tcpKeepAliveMs: 15_000,
};

/** HTTP/1.1 by undici: as many connections to an engine as there are requests, idle ones used again. */
export class UndiciUpstream implements Upstream {
  readonly #settings: ConnectionSettings;
  /** By origin; the one used last is used first, so that the others may grow old. */
  readonly #idle = new Map<string, EngineConnection[]>();
  readonly #all = new Set<EngineConnection>();

  constructor(settings: Partial<ConnectionSettings> = {}) {
    this.#settings = { ...upstreamDefaults, ...settings };
  }

  async send(request: UpstreamRequest): Promise<UpstreamAnswer> {
    const { signal } = request;
    signal.throwIfAborted();
    const url = new URL(request.url);
    const connection = (request.fresh ? undefined : this.#takeIdle(url.origin)) ?? this.#open(url.origin);
    const cut = (): void => this.#drop(connection, signal.reason as Error);
    signal.addEventListener('abort', cut, { once: true });
    try {
      const { statusCode, headers, body } = await connection.request({
        path: url.pathname + url.search,
        method: request.method,
        headers: request.headers.flat(),
        body: request.body,
        responseHeaders: 'raw',
      });
      body.once('close', () => {
        signal.removeEventListener('abort', cut);
        this.#giveBack(url.origin, connection, body);
      });
      return { status: statusCode, headers: pairs(headers), body };
    } catch (error) {
      signal.removeEventListener('abort', cut);
      const stage = stageOf(error, connection);
      this.#drop(connection);
      signal.throwIfAborted();
      throw new UpstreamFailure(stage, reason(error), error);
    }
  }

  listens(url: string): Promise<boolean> {
    return listens(new URL(url), this.#settings.connectTimeoutMs);
  }

  close(): Promise<void> {
    for (const connection of this.#all) this.#drop(connection);
    this.#idle.clear();
    return Promise.resolve();
  }

  #open(origin: string): EngineConnection {
    const connection = new EngineConnection(origin, this.#settings, () => {
      const idle = this.#idle.get(origin) ?? [];
      this.#idle.set(
        origin,
        idle.filter((other) => other !== connection),
      );
      this.#drop(connection);
    });
    this.#all.add(connection);
    return connection;
  }

  #takeIdle(origin: string): EngineConnection | undefined {
    const idle = this.#idle.get(origin) ?? [];
    for (;;) {
      const connection = idle.pop();
      if (connection === undefined || connection.isOpen) return connection;
      this.#drop(connection);
    }
  }

  /** Only a connection whose answer was read to its end can carry another. */
  #giveBack(origin: string, connection: EngineConnection, body: Readable): void {
    connection.rest();
    if (!body.readableEnded || !connection.isOpen || !this.#all.has(connection)) {
      this.#drop(connection);
      return;
    }
    const idle = this.#idle.get(origin) ?? [];
    idle.push(connection);
    this.#idle.set(origin, idle);
  }

  #drop(connection: EngineConnection, why?: Error): void {
    this.#all.delete(connection);
    connection.destroy(why);
  }
}

function stageOf(error: unknown, { failureStage }: EngineConnection): FailureStage {
  if (error instanceof errors.InvalidArgumentError) return 'bad-request';
  return failureStage === 'nothing-sent' && isOwnLimit(error) ? 'own-limit' : failureStage;
}

/** @param raw names and values in turn: undici gives them so under `responseHeaders: 'raw'`, its types do not know */
function pairs(raw: unknown): RawHeaders {
  const flat = raw as readonly string[];
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) headers.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return headers;
}
