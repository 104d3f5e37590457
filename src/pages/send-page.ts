import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import { parseAccept } from '../exposition/accept.ts';
import { NO_SNIFFING, sendText } from '../serving/answer.ts';
import type { Exchange } from '../serving/routes.ts';

/** Below this a zip saves nothing worth its time. */
const WORTH_ZIPPING_BYTES = 1_024;
/** Families are small and many: sent one by one they would be as many writes. */
const PIECE_BYTES = 64 * 1_024;
const ZIP_LEVEL = constants.Z_BEST_SPEED;
const HEADERS = { vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' };
const zip = promisify(gzip);

/** Answers a page, zipped where the client takes that: they are large and repeat themselves. */
export async function sendPage(
  { request, response, signal }: Exchange,
  status: number,
  body: string | Uint8Array,
  contentType: string,
): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  if (bytes.byteLength < WORTH_ZIPPING_BYTES || !takesGzip(request.headers['accept-encoding'])) {
    sendText(response, status, bytes, contentType, HEADERS);
    return;
  }
  const zipped = await zip(bytes, { level: ZIP_LEVEL });
  if (!signal.aborted)
    sendText(response, status, zipped, contentType, { ...HEADERS, 'content-encoding': 'gzip' });
}

/** A page of any size, as fast as the client takes it; one that fits in a piece goes with its length. */
export async function sendChunks(
  exchange: Exchange,
  chunks: Iterable<Uint8Array>,
  contentType: string,
): Promise<void> {
  const pieces = piecesOf(chunks);
  const [first = new Uint8Array(), second] = [pieces.next().value, pieces.next().value];
  if (second === undefined) return sendPage(exchange, 200, first, contentType);
  const { request, response, signal } = exchange;
  const zipped = takesGzip(request.headers['accept-encoding']);
  response.writeHead(200, {
    'content-type': contentType,
    ...NO_SNIFFING,
    ...HEADERS,
    ...(zipped ? { 'content-encoding': 'gzip' } : {}),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const page = Readable.from(all(first, second, pieces), { objectMode: false });
  try {
    if (zipped) await pipeline(page, createGzip({ level: ZIP_LEVEL }), response);
    else await pipeline(page, response);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function* all(
  ...[first, second, rest]: [Uint8Array, Uint8Array, Iterable<Uint8Array>]
): Iterable<Uint8Array> {
  yield first;
  yield second;
  yield* rest;
}

function* piecesOf(chunks: Iterable<Uint8Array>): Generator<Uint8Array, undefined> {
  let piece: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    piece.push(chunk);
    size += chunk.byteLength;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(piece);
    piece = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(piece);
}

function takesGzip(header: string | string[] | undefined): boolean {
  return parseAccept(String(header ?? '')).some(
    ({ mediaType, weight }) => mediaType === 'gzip' && weight > 0,
  );
}
