import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

import { type Clock, deadline } from './clock.ts';
import { type HttpAnswer, type HttpClient, HttpFailure, type HttpGetOptions } from './http.ts';
import { httpFailureOf } from './http-failure-of.ts';
import { Http1Connection } from './http1-connection.ts';
import { ResponseReader } from './http1-response.ts';

const READ_BYTES = 64 * 1_024;
const unzip = promisify(gunzip);

/**
 * A client that keeps connections, over plain sockets. A scrape of every engine each second is most of what an idle
 * gateway does: for a page of 100 kB this takes half the time of `node:http` or undici, since all reads share one
 * buffer and a body of known length is copied once, to where it stays.
 *
 * `close` ends what still runs.
 */
export function http1Client({ clock }: { readonly clock: Clock }): HttpClient & { close(): Promise<void> } {
  const connections = new Set<Http1Connection>();
  const free = new Map<string, Http1Connection[]>();
  /** Memory of bodies that was made here: all of it may be used again, where a view of another's says nothing of the rest. */
  const rooms = new WeakSet<ArrayBufferLike>();
  const shared = Buffer.allocUnsafeSlow(READ_BYTES);
  // Windows is given the buffer before the bytes are there: none of it can be shared.
  const buffer = (): Buffer => (process.platform === 'win32' ? Buffer.allocUnsafeSlow(READ_BYTES) : shared);

  function keptTo({ origin }: URL): Http1Connection | undefined {
    const kept = free.get(origin);
    for (let last = kept?.pop(); last !== undefined; last = kept?.pop()) {
      if (last.isFree(clock.now())) return last;
      last.destroy();
    }
    return undefined;
  }

  function newTo(url: URL): Http1Connection {
    const connection = new Http1Connection(url, buffer, { onFree, onClosed });
    connections.add(connection);
    return connection;
  }

  function onFree(connection: Http1Connection, keepMs: number): void {
    connection.keep(clock.now(), keepMs);
    const others = free.get(connection.origin);
    if (others === undefined) free.set(connection.origin, [connection]);
    else others.push(connection);
  }

  function onClosed(connection: Http1Connection): void {
    connections.delete(connection);
    const others = free.get(connection.origin)?.filter((other) => other !== connection) ?? [];
    if (others.length === 0) free.delete(connection.origin);
    else free.set(connection.origin, others);
  }

  return {
    async close() {
      for (const connection of connections) connection.destroy();
    },
    async get(address, options) {
      options.signal?.throwIfAborted();
      const url = new URL(address);
      const request = requestText(url, options.headers ?? {});
      const { into } = options;
      const room = into !== undefined && rooms.has(into.buffer) ? Buffer.from(into.buffer) : undefined;
      const asked = { request, room, clock, options };
      const kept = keptTo(url);
      // A kept connection that the server closed in the same moment says nothing about the server.
      const first = kept === undefined ? undefined : await ask(kept, asked, true);
      const answered = first ?? (await ask(newTo(url), asked, false));
      if (answered === undefined) throw new HttpFailure('cut-off', 'the connection was closed');
      rooms.add(answered.room.buffer);
      return answerOf(answered, options.maxBytes);
    },
  };
}

interface Asked {
  readonly request: string;
  readonly room: Buffer | undefined;
  readonly clock: Clock;
  readonly options: HttpGetOptions;
}

/** @returns undefined when the connection may be `stale` and died untouched */
function ask(
  connection: Http1Connection,
  { request, room, clock, options }: Asked,
  stale: boolean,
): Promise<ResponseReader | undefined> {
  return new Promise((resolve, reject) => {
    const { timeoutMs, maxBytes, signal } = options;
    const reader = new ResponseReader(maxBytes, room);
    const leave = (): void => connection.leave(signal?.reason);
    const callOff = deadline(clock, timeoutMs, () =>
      connection.leave(new HttpFailure('timeout', `no whole answer within ${timeoutMs} ms`)),
    );
    const settle = (): void => {
      callOff();
      signal?.removeEventListener('abort', leave);
    };
    signal?.addEventListener('abort', leave, { once: true });
    connection.ask(request, {
      reader,
      done() {
        settle();
        resolve(reader);
      },
      failed(error, how) {
        settle();
        if (how === 'untouched' && stale) resolve(undefined);
        else reject(how === 'left' ? error : httpFailureOf(error));
      },
    });
  });
}

function requestText(url: URL, headers: Readonly<Record<string, string>>): string {
  const all = { host: url.host, 'accept-encoding': 'gzip', ...headers };
  const lines = Object.entries(all).map(([name, value]) => {
    if (/[^\t\x20-\x7e\x80-\xff]/.test(value) || !/^[\w-]+$/.test(name)) {
      throw new HttpFailure('other', `the header "${name}" holds what no header can`);
    }
    return `${name}: ${value}\r\n`;
  });
  return `GET ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

async function answerOf({ answer }: ResponseReader, maxBytes: number): Promise<HttpAnswer> {
  const { head, body } = answer;
  const { status, headers } = head;
  const encoding = headers['content-encoding']?.toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return { status, headers, body };
  if (encoding !== 'gzip' && encoding !== 'x-gzip') {
    throw new HttpFailure('other', `the body's encoding "${encoding}" was not asked for`);
  }
  try {
    return { status, headers, body: await unzip(body, { maxOutputLength: maxBytes }) };
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ERR_BUFFER_TOO_LARGE') throw httpFailureOf(error);
    throw new HttpFailure('too-large', `the body is larger than ${maxBytes} bytes (unzipped)`);
  }
}
