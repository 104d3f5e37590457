import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

import { type AnswerHeaders, NO_SNIFFING } from './answer.ts';
import { GatewayError } from './errors.ts';

/**
 * Writes server-sent events. Each method resolves when the client can take more, so a slow reader slows its
 * writer instead of filling memory; it rejects with `client_left` once the client is gone.
 */
export class SseWriter {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** The head, at once and with buffering proxies told off; happens by itself with the first event. */
  open(status = 200, headers: AnswerHeaders = {}): void {
    if (this.#response.headersSent) return;
    this.#response.writeHead(status, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
      ...NO_SNIFFING,
      ...headers,
    });
    this.#response.flushHeaders();
  }

  /** An object goes as JSON; `name` becomes the `event:` line. */
  event(data: string | object, name?: string): Promise<void> {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    const lines = text.split(/\r\n|[\r\n]/).map((line) => `data: ${line}\n`);
    return this.raw(`${name === undefined ? '' : `event: ${name}\n`}${lines.join('')}\n`);
  }

  comment(text: string): Promise<void> {
    return this.raw(`: ${text.replace(/[\r\n]+/g, ' ')}\n\n`);
  }

  async raw(bytes: string | Uint8Array): Promise<void> {
    this.open();
    this.#mustBeThere();
    if (this.#response.write(bytes)) return;
    const settled = new AbortController();
    const { signal } = settled;
    await Promise.race([
      once(this.#response, 'drain', { signal }),
      once(this.#response, 'close', { signal }),
    ]).finally(() => settled.abort());
    this.#mustBeThere();
  }

  /** `data: [DONE]` and the end. */
  async done(): Promise<void> {
    await this.raw('data: [DONE]\n\n');
    this.end();
  }

  end(): void {
    this.#response.end();
  }

  #mustBeThere(): void {
    if (this.#response.destroyed) throw new GatewayError('client_left', 'The client left');
  }
}
