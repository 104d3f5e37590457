import { HttpFailure } from './http.ts';
import { parseHead, type ResponseHead } from './http1-head.ts';

const MAX_HEAD_BYTES = 64 * 1_024;
const HEAD_END = Buffer.from('\r\n\r\n');
const NO_ROOM = Buffer.alloc(0);
/** A chunk's size with what may follow it; also of a trailer. */
const MAX_LINE_BYTES = 8 * 1_024;

type State = 'head' | 'length' | 'close' | 'size' | 'chunk' | 'chunk-end' | 'trailers' | 'done';

/**
 * One HTTP/1 answer as its bytes come in, cut anywhere. What it takes is copied: callers use one buffer for all reads.
 * Informational answers before it are passed over.
 */
export class ResponseReader {
  readonly #maxBytes: number;
  #state: State = 'head';
  #head: ResponseHead | undefined;
  /** What has come of a head or a line that is not whole. */
  #part = '';
  /** Where the body goes; larger than it as long as its end is not known. */
  #room: Buffer;
  #size = 0;
  /** Bytes that the chunk still lacks. */
  #left = 0;
  #tooMuch = false;

  /** @param room where the body may go as far as it fits; over what stands there */
  constructor(maxBytes: number, room: Buffer = NO_ROOM) {
    this.#maxBytes = maxBytes;
    this.#room = room;
  }

  /** @returns whether the answer is whole. @throws HttpFailure */
  take(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length && this.#state !== 'done') at = this.#step(bytes, at);
    if (at < bytes.length) this.#tooMuch = true;
    return this.#state === 'done';
  }

  /** The connection has ended: some answers end so, and are whole. @throws HttpFailure for all others */
  end(): true {
    if (this.#state === 'close') this.#state = 'done';
    if (this.#state !== 'done') throw new HttpFailure('cut-off', `the connection ended ${this.#where()}`);
    return true;
  }

  /** Of a whole answer; the body as it was sent. */
  get answer(): { readonly head: ResponseHead; readonly body: Buffer } {
    if (this.#head === undefined || this.#state !== 'done') throw new Error('the answer is not whole');
    return { head: this.#head, body: this.#body() };
  }

  /** The memory that the body is a part of: nobody else's. */
  get room(): Buffer {
    return this.#room;
  }

  /** How long the connection may be kept: not at all when more came than was asked for. */
  get keepMs(): number {
    return this.#tooMuch ? 0 : (this.#head?.keepMs ?? 0);
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(bytes, at);
      case 'close':
        return this.#keep(bytes, at, bytes.length);
      case 'length':
      case 'chunk': {
        const end = this.#keep(bytes, at, Math.min(bytes.length, at + this.#left));
        this.#left -= end - at;
        if (this.#left === 0) this.#state = this.#state === 'length' ? 'done' : 'chunk-end';
        return end;
      }
      case 'size':
      case 'chunk-end':
      case 'trailers':
        return this.#takeLine(bytes, at);
      case 'done':
        return bytes.length;
    }
  }

  #takeHead(bytes: Buffer, at: number): number {
    const before = this.#part.length;
    const found = bytes.indexOf(HEAD_END, at);
    // Without the end in this piece alone it may lie across two: as text, which heads are short enough for.
    this.#part += bytes.toString(
      'latin1',
      at,
      found === -1 || before > 0 ? bytes.length : found + HEAD_END.length,
    );
    if (!beginsLike(this.#part, 'HTTP/1.')) {
      throw new HttpFailure('not-http', 'what it answers is not HTTP');
    }
    const end = this.#part.indexOf('\r\n\r\n');
    if (end === -1) {
      if (this.#part.length > MAX_HEAD_BYTES)
        throw new HttpFailure('other', 'the head of the answer has no end');
      return bytes.length;
    }
    const head = parseHead(this.#part.slice(0, end));
    this.#part = '';
    if (head.status === 101) throw new HttpFailure('other', 'the server wants to speak another protocol');
    if (head.status >= 200) this.#begin(head);
    return at + end + HEAD_END.length - before;
  }

  #begin(head: ResponseHead): void {
    const { framing } = head;
    this.#head = head;
    if (framing.by === 'chunks') this.#state = 'size';
    else if (framing.by === 'close') this.#state = 'close';
    else {
      this.#expect(framing.length, `it announces ${framing.length}`);
      this.#left = framing.length;
      this.#state = framing.length === 0 ? 'done' : 'length';
    }
  }

  #takeLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf('\n', at);
    this.#part += bytes.toString('latin1', at, end === -1 ? bytes.length : end);
    if (this.#part.length > MAX_LINE_BYTES)
      throw new HttpFailure('other', 'a line between chunks has no end');
    if (end === -1) return bytes.length;
    const line = this.#part.replace(/\r$/, '');
    this.#part = '';
    if (this.#state === 'size') this.#chunkOf(line);
    else if (this.#state === 'trailers') this.#state = line === '' ? 'done' : 'trailers';
    else if (line === '') this.#state = 'size';
    else throw new HttpFailure('other', 'a chunk is longer than it says');
    return end + 1;
  }

  #chunkOf(line: string): void {
    const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) {
      throw new HttpFailure(
        'other',
        `expected the size of a chunk, found ${JSON.stringify(line.slice(0, 60))}`,
      );
    }
    this.#left = Number.parseInt(size, 16);
    this.#expect(this.#left, 'it goes on');
    this.#state = this.#left === 0 ? 'trailers' : 'chunk';
  }

  #keep(bytes: Buffer, start: number, end: number): number {
    this.#expect(end - start, 'it goes on');
    this.#size += bytes.copy(this.#room, this.#size, start, end);
    return end;
  }

  /** Makes room for so many bytes more. */
  #expect(bytes: number, how: string): void {
    const needed = this.#size + bytes;
    if (needed > this.#maxBytes) throw this.#tooLarge(how);
    if (needed <= this.#room.length) return;
    // What was too small once will grow again: pages do, with their counters. A first body gets what it needs.
    const spare = this.#room.length === 0 ? 0 : Math.max(needed >> 4, this.#size);
    const room = Buffer.allocUnsafeSlow(needed + spare);
    this.#room.copy(room, 0, 0, this.#size);
    this.#room = room;
  }

  /** Of its own, and not much more than it needs: it may be kept for long. */
  #body(): Buffer {
    const body = this.#room.subarray(0, this.#size);
    return this.#size * 2 < this.#room.length ? Buffer.concat([body]) : body;
  }

  #tooLarge(how: string): HttpFailure {
    return new HttpFailure('too-large', `the body is larger than ${this.#maxBytes} bytes (${how})`);
  }

  #where(): string {
    return this.#head === undefined ? 'before the answer' : `after ${this.#size} bytes of the body`;
  }
}

/** As far as there is any of the text. */
function beginsLike(text: string, start: string): boolean {
  return text.startsWith(start.slice(0, text.length));
}
