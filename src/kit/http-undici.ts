import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';
import { type Clock, deadline } from './clock.ts';
import { type HttpAnswer, type HttpClient, HttpFailure, type HttpGetOptions } from './http.ts';
import { closedBeforeAnswer, httpFailureOf } from './http-failure-of.ts';

/** Below the idle close of the servers met most (uvicorn, cpp-httplib: 5 s), so that they do not close on us. */
const KEEP_IDLE_MS = 4_000;

/** A client that keeps connections. `close` ends what still runs. */
export function undiciHttpClient({ clock }: { readonly clock: Clock }): HttpClient & {
  close(): Promise<void>;
} {
  const agent = new Agent({
    keepAliveTimeout: KEEP_IDLE_MS,
    keepAliveMaxTimeout: KEEP_IDLE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
    // The deadline of each call is the only limit.
    connect: { timeout: 0 },
  });
  return {
    close: () => agent.destroy(),
    async get(url, options) {
      const abort = new AbortController();
      const late = new HttpFailure('timeout', `no whole answer within ${options.timeoutMs} ms`);
      const done = deadline(clock, options.timeoutMs, () => abort.abort(late));
      const leave = (): void => abort.abort(options.signal?.reason);
      if (options.signal?.aborted === true) leave();
      options.signal?.addEventListener('abort', leave, { once: true });
      try {
        return await once(agent, url, options, abort.signal);
      } catch (error) {
        throw abort.signal.aborted ? abort.signal.reason : httpFailureOf(error);
      } finally {
        done();
        options.signal?.removeEventListener('abort', leave);
      }
    },
  };
}

async function once(
  agent: Agent,
  url: string,
  options: HttpGetOptions,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const send = (): Promise<Dispatcher.ResponseData> =>
    request(url, {
      dispatcher: agent,
      method: 'GET',
      headers: { 'accept-encoding': 'gzip', ...options.headers },
      signal,
    });
  // A kept connection that the server closed in the same moment says nothing about the server.
  const answer = await send().catch((error: unknown) => {
    if (closedBeforeAnswer(error) && !signal.aborted) return send();
    throw error;
  });
  // A body that is left before its end says so by an error event, which nobody else may be listening to.
  answer.body.on('error', () => {});
  const headers = plainHeaders(answer.headers);
  const length = Number(headers['content-length']);
  if (length > options.maxBytes) {
    answer.body.destroy();
    throw tooLarge(options.maxBytes, `it announces ${length}`);
  }
  const body = await readWhole(answer.body, headers['content-encoding'], options.maxBytes);
  return { status: answer.statusCode, headers, body };
}

async function readWhole(
  body: Readable,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoded(body, encoding)) {
    size += chunk.length;
    if (size > maxBytes) {
      body.destroy();
      throw tooLarge(maxBytes, 'it goes on');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function decoded(body: Readable, encoding: string | undefined): AsyncIterable<Buffer> {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip': {
      const gunzip = createGunzip();
      // `pipe` does not carry errors on: without this a cut-off body would wait for ever.
      body.on('error', (error) => gunzip.destroy(error));
      return body.pipe(gunzip);
    }
    default:
      body.destroy();
      throw new HttpFailure('other', `the body's encoding "${encoding}" was not asked for`);
  }
}

function tooLarge(maxBytes: number, how: string): HttpFailure {
  return new HttpFailure('too-large', `the body is larger than ${maxBytes} bytes (${how})`);
}

function plainHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}
