import type { ServerResponse } from 'node:http';

import type { GatewayError } from './errors.ts';

export type AnswerHeaders = Readonly<Record<string, string>>;

/** On every answer of ours: whatever text is in it, a browser must not make a page of it. */
export const NO_SNIFFING = { 'x-content-type-options': 'nosniff' } as const;

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: AnswerHeaders = {},
): void {
  sendText(response, status, JSON.stringify(body), 'application/json', headers);
}

export function sendText(
  response: ServerResponse,
  status: number,
  text: string | Uint8Array,
  contentType: string,
  headers: AnswerHeaders = {},
): void {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes.byteLength,
    ...NO_SNIFFING,
    ...headers,
  });
  response.end(bytes);
}

/**
 * `x-penstock-error` tells an answer of ours from an engine's.
 * Once a head is out nothing can be answered: the socket is cut, so that nobody takes half an answer for a whole one.
 */
export function sendError(response: ServerResponse, error: GatewayError, requestId: string): void {
  if (response.headersSent) {
    if (!response.writableEnded) response.destroy();
    return;
  }
  if (response.destroyed) return;
  sendJson(response, error.status, error.toBody(), {
    ...error.headers,
    'x-penstock-error': error.code,
    'x-request-id': requestId,
    ...(error.retryAfterSeconds === undefined
      ? {}
      : { 'retry-after': String(Math.ceil(error.retryAfterSeconds)) }),
  });
}
