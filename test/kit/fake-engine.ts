import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** A request as it came over the wire. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Names in lower case; of equal names the last. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything up to the empty line, as sent. */
  readonly head: string;
  readonly body: Buffer;
  /** 0 for the first request of all. */
  readonly index: number;
  /** 0 for the first on its connection. */
  readonly onSocket: number;
}

export type Script = (request: SeenRequest, socket: Socket) => Promise<void> | void;

export interface FakeEngine {
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  readonly connections: () => number;
  /** Connections opened so far, closed ones included. */
  readonly accepted: () => number;
  stop(): Promise<void>;
}

/**
 * An engine that writes exactly the bytes its script says, cuts and stalls where it says: below HTTP, since
 * everything worth testing is what a well-behaved HTTP server would not do.
 */
export async function startFakeEngine(script: Script): Promise<FakeEngine> {
  const sockets = new Set<Socket>();
  const requests: SeenRequest[] = [];
  let accepted = 0;
  const server = createServer((socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    let pending: Buffer = Buffer.alloc(0);
    let onSocket = 0;
    socket.on('data', (chunk: Buffer) => {
      pending = Buffer.concat([pending, chunk]);
      for (;;) {
        const parsed = parse(pending);
        if (parsed === undefined) return;
        pending = parsed.rest;
        const request = { ...parsed.request, index: requests.length, onSocket };
        onSocket += 1;
        requests.push(request);
        void Promise.resolve(script(request, socket)).catch((error: unknown) =>
          socket.destroy(error as Error),
        );
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    connections: () => sockets.size,
    accepted: () => accepted,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An address where nothing listens: bound once, so that it is nobody else's, then closed. */
export async function deadUrl(): Promise<string> {
  const { url, stop } = await startFakeEngine(() => {});
  await stop();
  return url;
}

export function answerBytes(
  status: string,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = '',
): Buffer {
  const bytes = Buffer.from(body);
  const lines = Object.entries({ 'content-length': String(bytes.byteLength), ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${head}\r\n`), bytes]);
}

export function jsonAnswer(body: unknown, status = '200 OK', headers: Record<string, string> = {}): Buffer {
  return answerBytes(status, { 'content-type': 'application/json', ...headers }, JSON.stringify(body));
}

export const streamHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n';

export function chunkBytes(data: string | Uint8Array): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

export const lastChunk = '0\r\n\r\n';

/** One event of a streamed chat. */
export function textEvent(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;
}

/** A whole streamed chat: head, role, words, finish, `[DONE]`. */
export function chatStream(words: readonly string[]): { readonly wire: Buffer; readonly body: string } {
  const events = [
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] })}\n\n`,
    ...words.map(textEvent),
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    'data: [DONE]\n\n',
  ];
  const wire = Buffer.concat([Buffer.from(streamHead), ...events.map(chunkBytes), Buffer.from(lastChunk)]);
  return { wire, body: events.join('') };
}

function parse(
  bytes: Buffer,
): { request: Omit<SeenRequest, 'index' | 'onSocket'>; rest: Buffer } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const head = bytes.subarray(0, end).toString('latin1');
  const [first = '', ...lines] = head.split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.byteLength < bodyEnd) return undefined;
  const body = bytes.subarray(end + 4, bodyEnd);
  return { request: { method, target, headers, head, body }, rest: bytes.subarray(bodyEnd) };
}
