import type { IncomingMessage } from 'node:http';

import { ByteBlocks } from '../kit/byte-blocks.ts';
import { GatewayError } from './errors.ts';

/**
 * The whole body, unchanged.
 * @throws GatewayError `body_too_large` as soon as that is known (by Content-Length before the first byte is read),
 * `client_left` when the client closes first or the signal aborts.
 */
export function readBody(request: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      reject(tooLarge(maxBytes));
      return;
    }
    const body = new ByteBlocks();
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone);
      signal.removeEventListener('abort', onGone);
      finish();
    };
    const onData = (chunk: Buffer): void => {
      if (body.size + chunk.byteLength > maxBytes) settle(() => reject(tooLarge(maxBytes)));
      else body.add(chunk);
    };
    const onEnd = (): void => settle(() => resolve(body.whole()));
    const onGone = (): void =>
      settle(() => reject(new GatewayError('client_left', 'The client left while sending its request')));
    if (signal.aborted || request.destroyed) {
      onGone();
      return;
    }
    signal.addEventListener('abort', onGone, { once: true });
    request.on('data', onData).once('end', onEnd).once('error', onGone).once('close', onGone);
  });
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError(
    'body_too_large',
    `The request body is larger than ${maxBytes} bytes, the limit configured for this gateway`,
  );
}
