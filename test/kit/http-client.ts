import { once } from 'node:events';
import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { systemClock } from '../../src/kit/clock.ts';

export interface Asked {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object goes as JSON. */
  readonly body?: object | string;
}

/** Sends a request; the answer is not waited for. A connection of its own: nothing is shared between tests. */
export function begin(url: string, { method, headers, body }: AskOptions = {}): ClientRequest {
  const request = httpRequest(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: { 'content-type': 'application/json', ...headers },
    agent: new Agent({ keepAlive: false }),
  });
  request.on('error', () => {});
  request.end(typeof body === 'object' ? JSON.stringify(body) : body);
  return request;
}

export async function headOf(request: ClientRequest): Promise<IncomingMessage> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return response;
}

/** @throws when the connection breaks before the answer is whole */
export async function ask(url: string, options: AskOptions = {}): Promise<Asked> {
  const response = await headOf(begin(url, options));
  const body = await buffer(response);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    body,
    text: body.toString(),
  };
}

/** All of an answer until it ends or breaks, and which of the two it did. */
export async function readToTheEnd(
  response: IncomingMessage,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Not `once`: that rejects with the error of a break, and what came before it is what is asked for.
  await new Promise<void>((resolve) => {
    if (response.closed) resolve();
    else response.once('close', resolve);
  });
  return { text: Buffer.concat(chunks).toString(), whole: response.complete };
}

/** Waits for what becomes true by itself, soon; fails with what `what` says if it does not. */
export async function until(what: string, check: () => boolean, withinMs = 5_000): Promise<void> {
  const late = systemClock.now() + withinMs;
  while (!check()) {
    if (systemClock.now() > late) throw new Error(`waited in vain until ${what}`);
    await systemClock.sleep(2);
  }
}
