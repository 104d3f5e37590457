import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { parseAccept } from '../exposition/accept.ts';
import { sendText } from '../serving/answer.ts';
import type { Exchange } from '../serving/routes.ts';

/** Below this a zip saves nothing worth its time. */
const WORTH_ZIPPING_BYTES = 1_024;
const zip = promisify(gzip);

/** Answers a page, zipped where the client takes that: they are large and repeat themselves. */
export async function sendPage(
  { request, response, signal }: Exchange,
  status: number,
  body: string | Uint8Array,
  contentType: string,
): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const headers = { vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' };
  if (bytes.byteLength < WORTH_ZIPPING_BYTES || !takesGzip(request.headers['accept-encoding'])) {
    sendText(response, status, bytes, contentType, headers);
    return;
  }
  const zipped = await zip(bytes, { level: constants.Z_BEST_SPEED });
  if (!signal.aborted)
    sendText(response, status, zipped, contentType, { ...headers, 'content-encoding': 'gzip' });
}

function takesGzip(header: string | string[] | undefined): boolean {
  return parseAccept(String(header ?? '')).some(
    ({ mediaType, weight }) => mediaType === 'gzip' && weight > 0,
  );
}
