import { connect, isIP, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { HttpFailure } from './http.ts';
import type { ResponseReader } from './http1-response.ts';

/** Below the idle close of the servers met most (uvicorn, cpp-httplib: 5 s), so that they do not close on us. */
const KEEP_IDLE_MS = 4_000;

/**
 * Why a request came to nothing. `left`: we gave it up. `untouched`: the connection died before any byte of an answer.
 */
type Failed = 'left' | 'untouched' | 'broken';

/** What becomes of one request on a connection: one of the two is called, once. */
interface Asked {
  readonly reader: ResponseReader;
  readonly done: () => void;
  readonly failed: (error: unknown, how: Failed) => void;
}

interface ConnectionEvents {
  /** The answer is whole and the server keeps the connection, as far as it says for so long. */
  readonly onFree: (connection: Http1Connection, keepMs: number) => void;
  readonly onClosed: (connection: Http1Connection) => void;
}

/** One connection to one server: one request at a time. */
export class Http1Connection {
  readonly origin: string;
  readonly #socket: Socket;
  readonly #events: ConnectionEvents;
  #asked: Asked | undefined;
  /** Whether a byte of the answer to the request that runs has come. */
  #answering = false;
  #freeUntilMs = 0;

  constructor(url: URL, buffer: OnReadOpts['buffer'], events: ConnectionEvents) {
    this.origin = url.origin;
    this.#events = events;
    this.#socket = open(url, { buffer, callback: (size, read) => this.#read(read, size) });
    this.#socket.setTimeout(KEEP_IDLE_MS, () => {
      if (this.#asked === undefined) this.destroy();
    });
    this.#socket.on('end', () => this.#ended());
    this.#socket.on('error', (error) => this.#broke(error));
    this.#socket.on('close', () => {
      this.#broke(new HttpFailure('cut-off', 'the connection was closed'));
      this.#events.onClosed(this);
    });
  }

  /** @param now monotonic milliseconds */
  isFree(now: number): boolean {
    return this.#asked === undefined && !this.#socket.destroyed && now < this.#freeUntilMs;
  }

  /** Sends the request; its answer goes into the reader. */
  ask(request: string, asked: Asked): void {
    this.#asked = asked;
    this.#answering = false;
    this.#socket.ref();
    this.#socket.write(request, 'latin1');
  }

  /** Gives up the request that runs, and the connection with it. */
  leave(error: unknown): void {
    this.#fail(error, 'left');
  }

  /** It may be asked again, for so long. @param now monotonic milliseconds */
  keep(now: number, keepMs: number): void {
    this.#freeUntilMs = now + Math.min(keepMs, KEEP_IDLE_MS);
    // An idle connection is no reason for a process to stay.
    this.#socket.unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  /** Connections share their buffer: whoever takes from it copies. */
  #read(read: Uint8Array, size: number): boolean {
    const asked = this.#asked;
    // What nobody asked for belongs to no answer, and the next one would begin in its middle.
    if (asked === undefined) this.destroy();
    else {
      this.#answering = true;
      this.#advance(asked, () => asked.reader.take(Buffer.from(read.buffer, read.byteOffset, size)));
    }
    return true;
  }

  #ended(): void {
    const asked = this.#asked;
    if (asked !== undefined) this.#advance(asked, () => asked.reader.end());
  }

  #advance(asked: Asked, read: () => boolean): void {
    try {
      if (!read()) return;
    } catch (error) {
      this.#broke(error);
      return;
    }
    this.#asked = undefined;
    const { keepMs } = asked.reader;
    if (keepMs > 0) this.#events.onFree(this, keepMs);
    else this.destroy();
    asked.done();
  }

  #broke(error: unknown): void {
    this.#fail(error, this.#answering ? 'broken' : 'untouched');
  }

  #fail(error: unknown, how: Failed): void {
    const asked = this.#asked;
    this.#asked = undefined;
    this.destroy();
    asked?.failed(error, how);
  }
}

function open(url: URL, onread: OnReadOpts): Socket {
  const tls = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  const options = { host, port, noDelay: true, onread };
  if (!tls) return connect(options);
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ ...options, ...servername, ALPNProtocols: ['http/1.1'] });
}
