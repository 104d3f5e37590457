import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import type { FailureStage } from './upstream.ts';

/** What one connection has done so far. */
interface Uses {
  requests: number;
  /** Of the socket, when the last request left. */
  bytesReadBefore: number;
}

/**
 * Tells how far a request had come when it failed. The client's errors say what happened to a socket but not
 * whether it was used before, and that is what makes trying again safe: so each socket is followed from its
 * connect on, and the error object is the thread back to it.
 */
export class SocketWatch {
  readonly #uses = new WeakMap<object, Uses>();
  readonly #stages = new WeakMap<object, FailureStage>();
  readonly #onSend = (message: unknown): void => {
    const { socket } = message as { socket: Socket };
    const uses = this.#uses.get(socket);
    if (uses === undefined) return;
    uses.requests += 1;
    uses.bytesReadBefore = socket.bytesRead;
  };

  constructor() {
    subscribe('undici:client:sendHeaders', this.#onSend);
  }

  connectFailed(error: object): void {
    this.#stages.set(error, 'nothing-sent');
  }

  connected(socket: Socket): void {
    const uses: Uses = { requests: 0, bytesReadBefore: 0 };
    this.#uses.set(socket, uses);
    // First, since the client's own listener fails the request with this very error.
    socket.prependListener('error', (error) => {
      // On TLS the farewell of the protocol counts as bytes.
      const silent = socket instanceof TLSSocket || socket.bytesRead === uses.bytesReadBefore;
      this.#stages.set(error, uses.requests > 1 && silent ? 'reused-socket-closed' : 'died-after-sending');
    });
  }

  /** An error that was never seen at a socket: assume the worst, that the engine has the request. */
  stageOf(error: unknown): FailureStage {
    return (
      (typeof error === 'object' && error !== null ? this.#stages.get(error) : undefined) ??
      'died-after-sending'
    );
  }

  stop(): void {
    unsubscribe('undici:client:sendHeaders', this.#onSend);
  }
}
