import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { buildConnector, Client, type Dispatcher } from 'undici';

import type { FailureStage } from './upstream.ts';

export interface ConnectionSettings {
  readonly connectTimeoutMs: number;
  /** Idle connections are dropped after this: below uvicorn's 5 s, or a request meets a closing socket. */
  readonly idleMs: number;
  /** A silent connection is asked for a sign of life after this, and given up ten unanswered seconds later. */
  readonly tcpKeepAliveMs: number;
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin'>;

/**
 * One connection to an engine, for one request at a time.
 *
 * undici's own pool would do but for two things: its errors do not say whether a socket was used before, which is
 * what makes trying again safe; and after a request that was cut off it connects anew at once, for nobody. llama.cpp
 * gives each connection a thread of few.
 */
export class EngineConnection {
  readonly #client: Client;
  readonly #onIdleLoss: () => void;
  #socket: Socket | undefined;
  /** On this socket, so far. */
  #answers = 0;
  #bytesReadBefore = 0;
  #connectFailed = false;
  #busy = false;

  /** @param onIdleLoss called when it closes while nobody uses it */
  constructor(origin: string, settings: ConnectionSettings, onIdleLoss: () => void) {
    this.#onIdleLoss = onIdleLoss;
    const connect = buildConnector({
      timeout: settings.connectTimeoutMs,
      keepAlive: true,
      keepAliveInitialDelay: settings.tcpKeepAliveMs,
    });
    this.#client = new Client(origin, {
      pipelining: 1,
      // A queued request may be silent for as long as the queue is: no limit but the operator's.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: settings.idleMs,
      keepAliveMaxTimeout: settings.idleMs,
      connect: (options, callback) => {
        connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) => {
          this.#connectFailed = error !== null;
          if (error !== null) callback(error, null);
          else {
            this.#socket = socket;
            this.#answers = 0;
            this.#bytesReadBefore = 0;
            callback(null, socket);
          }
        });
      },
    });
    this.#client.on('disconnect', () => {
      if (this.#busy) return;
      this.#socket = undefined;
      this.#onIdleLoss();
    });
  }

  /** Whether it may serve another request. */
  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed && !this.#client.destroyed;
  }

  /** The caller says by `rest` or `destroy` when the answer's body is over. */
  request(options: RequestOptions): Promise<Dispatcher.ResponseData> {
    this.#busy = true;
    this.#bytesReadBefore = this.#socket?.bytesRead ?? 0;
    return this.#client.request(options);
  }

  /** How far the request that just failed had come. */
  get failureStage(): FailureStage {
    if (this.#connectFailed || this.#socket === undefined) return 'nothing-sent';
    // On TLS the farewell of the protocol counts as bytes.
    const silent = this.#socket instanceof TLSSocket || this.#socket.bytesRead === this.#bytesReadBefore;
    return this.#answers > 0 && silent ? 'reused-socket-closed' : 'died';
  }

  /** The answer was read to its end: another request may come. */
  rest(): void {
    this.#busy = false;
    this.#answers += 1;
  }

  /** Ends whatever runs on it, at once. */
  destroy(reason: Error | null = null): void {
    void this.#client.destroy(reason);
  }
}
