/** One server-sent event as its reader sees it. */
export interface SseEvent {
  /** The `event:` line; absent where there is none (OpenAI's streams have none, Anthropic's do). */
  readonly name: string | undefined;
  /** Its `data:` lines, joined by newlines. */
  readonly data: string;
}

export interface SsePush {
  readonly events: readonly SseEvent[];
  /**
   * How many bytes of this chunk lead up to the end of its last whole event or comment: whatever stands behind
   * is an event in the making. 0 when none ends in it.
   */
  readonly wholeUpTo: number;
}

const LF = 10;
const CR = 13;
const COLON = 58;
const SPACE = 32;

/** An event larger than this is passed on like any other but not read: memory stays bounded. */
export const MAX_EVENT_BYTES = 1_048_576;

/**
 * Splits a byte stream into events, however it was cut on the way: the same bytes give the same events.
 * Understands LF, CRLF and CR, comments, a leading byte order mark, several data lines.
 */
export class SseSplitter {
  readonly #decoder = new TextDecoder();
  /** Room for the part of a line that came in earlier chunks: however many they were, it is one piece. */
  #line = new Uint8Array(0);
  #lineBytes = 0;
  #data: string[] = [];
  #name: string | undefined;
  /** Whether lines of an event that has not ended were seen. */
  #inEvent = false;
  #eventBytes = 0;
  #endedWithCr = false;
  #firstLine = true;

  /** Whether everything so far is whole events and comments. */
  get atBoundary(): boolean {
    return !this.#inEvent && this.#lineBytes === 0;
  }

  push(chunk: Uint8Array): SsePush {
    const events: SseEvent[] = [];
    let wholeUpTo = 0;
    let at = 0;
    if (this.#endedWithCr && chunk.byteLength > 0) {
      this.#endedWithCr = false;
      if (chunk[0] === LF) at = 1;
      if (this.atBoundary) wholeUpTo = at;
    }
    let nextCr = chunk.indexOf(CR, at);
    while (at < chunk.byteLength) {
      const nextLf = chunk.indexOf(LF, at);
      if (nextCr !== -1 && nextCr < at) nextCr = chunk.indexOf(CR, at);
      const end = nextCr === -1 ? nextLf : nextLf === -1 ? nextCr : Math.min(nextLf, nextCr);
      if (end === -1) {
        this.#keep(chunk.subarray(at));
        break;
      }
      const event = this.#endLine(chunk.subarray(at, end));
      if (event !== undefined) events.push(event);
      at = end + 1;
      if (chunk[end] === CR) {
        if (at === chunk.byteLength) this.#endedWithCr = true;
        else if (chunk[at] === LF) at += 1;
      }
      if (this.atBoundary) wholeUpTo = at;
    }
    return { events, wholeUpTo };
  }

  /** Copies: it outlives this call, and whose memory the chunk is we do not know. */
  #keep(part: Uint8Array): void {
    this.#eventBytes += part.byteLength;
    if (this.#eventBytes > MAX_EVENT_BYTES) {
      this.#line = new Uint8Array(0);
      this.#data = [];
    } else {
      const bytes = this.#lineBytes + part.byteLength;
      if (bytes > this.#line.byteLength) this.#line = enlarged(this.#line, bytes);
      this.#line.set(part, this.#lineBytes);
    }
    this.#lineBytes += part.byteLength;
  }

  /** @param rest what this chunk has of the line */
  #endLine(rest: Uint8Array): SseEvent | undefined {
    if (this.#lineBytes + rest.byteLength === 0) return this.#endEvent();
    const line = this.#takeLine(rest);
    if (line !== undefined && line[0] === COLON) {
      if (!this.#inEvent) this.#eventBytes = 0;
      return undefined;
    }
    this.#inEvent = true;
    if (line !== undefined) this.#readField(line);
    return undefined;
  }

  /** Absent when the event is too large to be read. */
  #takeLine(rest: Uint8Array): Uint8Array | undefined {
    let line = rest;
    if (this.#lineBytes > 0) {
      this.#keep(rest);
      line = this.#line.subarray(0, this.#lineBytes);
    } else this.#eventBytes += rest.byteLength;
    this.#line = new Uint8Array(0);
    this.#lineBytes = 0;
    if (this.#eventBytes > MAX_EVENT_BYTES) {
      this.#data = [];
      return undefined;
    }
    if (!this.#firstLine) return line;
    this.#firstLine = false;
    return line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? line.subarray(3) : line;
  }

  #readField(line: Uint8Array): void {
    const colon = line.indexOf(COLON);
    const nameEnd = colon === -1 ? line.byteLength : colon;
    // Only two names matter, and their lengths tell them apart from most of the rest.
    if (nameEnd !== 4 && nameEnd !== 5) return;
    const name = this.#decoder.decode(line.subarray(0, nameEnd));
    if (name !== 'data' && name !== 'event') return;
    const from = colon === -1 ? nameEnd : colon + (line[colon + 1] === SPACE ? 2 : 1);
    const value = this.#decoder.decode(line.subarray(from));
    if (name === 'data') this.#data.push(value);
    else this.#name = value;
  }

  #endEvent(): SseEvent | undefined {
    const event =
      this.#data.length === 0 || this.#eventBytes > MAX_EVENT_BYTES
        ? undefined
        : { name: this.#name, data: this.#data.join('\n') };
    this.#data = [];
    this.#name = undefined;
    this.#inEvent = false;
    this.#eventBytes = 0;
    return event;
  }
}

/** Room for as much again, so that a line in many chunks is not copied for each of them. */
function enlarged(line: Uint8Array, least: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(least, 2 * line.byteLength));
  larger.set(line);
  return larger;
}
