import {
  BACKSLASH,
  BLANK,
  CLASS,
  END,
  HASH_SEED,
  LABEL,
  LABEL_START,
  LINE_FEED,
  mixHash,
  NAME,
  NAME_START,
  QUOTE,
  TAB,
} from './bytes.ts';
import { ExpositionError } from './exposition.ts';
import { excerpt, firstInvalidUtf8, found, lossy, placeOf } from './place.ts';
import { readFloat, whyNoFloat } from './read-float.ts';
import { unescapeText } from './unescape.ts';
import { WordTable } from './word-table.ts';

/**
 * A place in a page and the words both formats are made of. Each `read…` starts at `at` and leaves it behind
 * what it read, or throws. What stands between the words is up to the parser of the format.
 */
export class PageReader {
  readonly bytes: Uint8Array;
  at = 0;
  readonly #words = new WordTable();

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get ended(): boolean {
    return this.at >= this.bytes.length;
  }

  peek(): number {
    return this.bytes[this.at] ?? END;
  }

  skipBlanks(): void {
    let byte = this.peek();
    while (byte === BLANK || byte === TAB) {
      this.at += 1;
      byte = this.peek();
    }
  }

  /** Undefined, and nothing read, where no metric name begins here. */
  readMetricName(): string | undefined {
    return this.#readName(NAME_START, NAME);
  }

  atLabelName(): boolean {
    return ((CLASS[this.bytes[this.at] ?? 0] ?? 0) & LABEL_START) !== 0;
  }

  readLabelName(): string | undefined {
    return this.#readName(LABEL_START, LABEL);
  }

  #readName(start: number, rest: number): string | undefined {
    const from = this.at;
    const { bytes } = this;
    const { length } = bytes;
    const classes = CLASS;
    let byte = bytes[from] ?? 0;
    if (((classes[byte] ?? 0) & start) === 0) return undefined;
    let at = from;
    let hash = HASH_SEED;
    while (((classes[byte] ?? 0) & rest) !== 0) {
      hash = mixHash(hash, byte);
      at += 1;
      if (at === length) break;
      byte = bytes[at] ?? 0;
    }
    this.at = at;
    return this.#words.word(bytes, from, at, hash);
  }

  /**
   * A text in double quotes with the escapes `\\`, `\"` and `\n`; another backslash stays, as in Prometheus.
   * A raw line feed is refused in either format, as the format documents and expfmt do: Prometheus lets it pass
   * in the text format, but a page where a line may begin inside a value cannot be skipped line by line.
   */
  readQuoted(what: string): string {
    const { bytes } = this;
    const from = this.at + 1;
    let at = from;
    let hash = HASH_SEED;
    let seen = 0;
    let escaped = false;
    for (;;) {
      const byte = bytes[at] ?? END;
      if (byte === QUOTE) break;
      if (byte === END || byte === LINE_FEED) {
        this.fail(`${what} is not closed: expected " before ${this.found(at)}`, from - 1);
      }
      hash = mixHash(hash, byte);
      seen |= byte;
      at += 1;
      if (byte === BACKSLASH) {
        escaped = true;
        const next = bytes[at] ?? END;
        if (next !== END && next !== LINE_FEED) at += 1;
      }
    }
    this.at = at + 1;
    if (escaped) return unescapeText(this.decode(from, at, what));
    if (seen > 0x7f) return this.decode(from, at, what);
    return this.#words.word(bytes, from, at, hash);
  }

  /** A number that ends before `end`. */
  readNumber(end: number, what: string): number {
    const from = this.at;
    const value = readFloat(this.bytes, from, end);
    if (value === undefined) {
      if (end === from) this.fail(`expected ${what}, found ${this.found(from)}`);
      const text = lossy(this.bytes.subarray(from, end));
      this.fail(`expected ${what}, found ${excerpt(text)}: ${whyNoFloat(text)}`);
    }
    this.at = end;
    return value;
  }

  /** Where the line at `at` ends: its line feed, or the end of the page. */
  lineEnd(): number {
    const end = this.bytes.indexOf(LINE_FEED, this.at);
    return end === -1 ? this.bytes.length : end;
  }

  /** Strict UTF-8; a byte order mark inside a text is data. */
  decode(start: number, end: number, what: string): string {
    const part = this.bytes.subarray(start, end);
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(part);
    } catch {
      const at = start + firstInvalidUtf8(part);
      const byte = (this.bytes[at] ?? 0).toString(16).padStart(2, '0');
      return this.fail(`${what} is no valid UTF-8: found byte 0x${byte}`, at);
    }
  }

  found(at: number): string {
    return found(this.bytes, at);
  }

  fail(message: string, at = this.at): never {
    const { line, column } = placeOf(this.bytes, at);
    throw new ExpositionError(message, line, column);
  }
}
