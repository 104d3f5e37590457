import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';

import { readBody } from '../../serving/read-body.ts';
import { type Answer, type Headers, http10Answer, http11Answer } from './answer.ts';

/** How one kind's HTTP server frames every answer. */
export interface HttpManner {
  readonly version: '1.0' | '1.1';
  /** On every answer. */
  readonly headers: Headers;
  /** Of JSON answers that name no other. */
  readonly jsonType: string;
  /** What follows the value in such an answer. */
  readonly jsonEnd?: string;
}

/** One request to a simulated engine. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Aborts when the client leaves. */
  readonly signal: AbortSignal;
  body(): Promise<string>;
  json(status: number, body: unknown, headers?: Headers): void;
  text(status: number, body: string, contentType: string | undefined, headers?: Headers): void;
  /** For streams: the caller writes the head when the engine would. */
  readonly answer: Answer;
  readonly manner: HttpManner;
}

const MAX_BODY_BYTES = 256 * 1024 * 1024;

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  manner: HttpManner,
): Exchange {
  const url = new URL(request.url ?? '/', 'http://engine');
  const left = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) left.abort(new Error('the client left'));
  });
  const answer = manner.version === '1.0' ? http10Answer(response) : http11Answer(response);
  const text: Exchange['text'] = (status, body, contentType, headers = {}) => {
    answer.head(status, {
      ...manner.headers,
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    });
    answer.end(request.method === 'HEAD' ? undefined : body);
  };
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    signal: left.signal,
    body: async () => (await readBody(request, MAX_BODY_BYTES, left.signal)).toString('utf8'),
    json: (status, body, headers) =>
      text(status, `${JSON.stringify(body)}${manner.jsonEnd ?? ''}`, manner.jsonType, headers),
    text,
    answer,
    manner,
  };
}
