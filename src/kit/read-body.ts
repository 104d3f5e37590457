import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { HttpFailure } from './http.ts';

/**
 * The decoded body of an answer, whole.
 *
 * @throws HttpFailure when it is larger than `maxBytes` or has an encoding nobody asked for; what the stream says when
 * it was cut off
 */
export function readBody(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  const { 'content-length': announced, 'content-encoding': encoding } = answer.headers;
  const length = announced === undefined ? undefined : Number(announced);
  if (length !== undefined && length > maxBytes) {
    answer.destroy();
    return Promise.reject(tooLarge(maxBytes, `it announces ${length}`));
  }
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return length === undefined ? readChunks(answer, maxBytes) : readKnown(answer, length);
    case 'gzip':
    case 'x-gzip':
      return readChunks(gunzipped(answer), maxBytes);
    default:
      answer.destroy();
      return Promise.reject(new HttpFailure('other', `the body's encoding "${encoding}" was not asked for`));
  }
}

/** Into one buffer of its own: a kept page must not hold a pool or its parts beside the whole. */
function readKnown(body: Readable, length: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const whole = Buffer.allocUnsafeSlow(length);
    let at = 0;
    body.on('data', (chunk: Buffer) => {
      at += chunk.copy(whole, at);
    });
    body.on('end', () => {
      if (at === length) resolve(whole);
      else reject(new HttpFailure('cut-off', `the body ended after ${at} of ${length} bytes`));
    });
    body.on('error', reject);
  });
}

function readChunks(body: Readable, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    body.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) body.destroy(tooLarge(maxBytes, 'it goes on'));
      else chunks.push(chunk);
    });
    body.on('end', () => resolve(Buffer.concat(chunks, size)));
    body.on('error', reject);
  });
}

function gunzipped(body: IncomingMessage): Readable {
  const gunzip = createGunzip();
  // `pipe` does not carry errors on: without this a cut-off body would wait for ever.
  body.on('error', (error) => gunzip.destroy(error));
  return body.pipe(gunzip);
}

function tooLarge(maxBytes: number, how: string): HttpFailure {
  return new HttpFailure('too-large', `the body is larger than ${maxBytes} bytes (${how})`);
}
