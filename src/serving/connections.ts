import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one server, and what runs on each: all of it hears when its connection ends. */
export class Connections {
  /** Several exchanges on one connection: a client may send its next request before it has its answer. */
  readonly #running = new Map<Socket, Set<ServerResponse>>();
  readonly #open = new Set<ServerResponse>();
  #ending = false;
  #gone: () => void = () => {};

  add(socket: Socket): void {
    const running = new Set<ServerResponse>();
    this.#running.set(socket, running);
    socket.once('close', () => {
      this.#running.delete(socket);
      for (const response of running) {
        if (waitsForItsTurn(response)) leave(response);
      }
      this.#settle();
    });
  }

  begin(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    const running = this.#running.get(socket);
    running?.add(response);
    this.#open.add(response);
    const over = (): void => {
      running?.delete(response);
      if (this.#ending) this.#endIfIdle(socket);
    };
    response.once('close', () => {
      this.#open.delete(response);
      // An answer that came early reaches its client only when that has sent its body.
      if (request.complete || request.destroyed) over();
      else request.once('end', over).once('close', over);
      this.#settle();
    });
  }

  /**
   * From now on a connection ends as soon as nothing runs on it; those that are idle or were never used end now.
   * @returns a promise that resolves when all are gone, and whoever handles an exchange has heard of it
   */
  end(): Promise<void> {
    this.#ending = true;
    return new Promise((resolve) => {
      this.#gone = resolve;
      for (const socket of this.#running.keys()) this.#endIfIdle(socket);
      this.#settle();
    });
  }

  cut(): void {
    for (const socket of this.#running.keys()) socket.destroy();
  }

  #endIfIdle(socket: Socket): void {
    if (this.#running.get(socket)?.size === 0) socket.destroySoon();
  }

  #settle(): void {
    if (this.#ending && this.#running.size === 0 && this.#open.size === 0) this.#gone();
  }
}

/** It has no connection yet: an answer before it is not complete. Afterwards it has none either, but is finished. */
function waitsForItsTurn(response: ServerResponse): boolean {
  return response.socket === null && !response.writableFinished;
}

/** Node tells the end of a connection only to the one answer that is being sent on it. */
function leave(response: ServerResponse): void {
  response.destroy();
  response.emit('close');
}
