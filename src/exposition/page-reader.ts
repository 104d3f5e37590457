import { asciiWord } from './ascii-word.ts';
import { ByteRuns } from './byte-runs.ts';
import {
  BACKSLASH,
  BLANK,
  CLASS,
  END,
  LABEL,
  LABEL_START,
  LINE_FEED,
  NAME,
  NAME_START,
  QUOTE,
  TAB,
} from './bytes.ts';
import { ExpositionError } from './exposition.ts';
import { LimitCheck, NO_LIMITS, type PageLimits } from './page-limits.ts';
import { excerpt, firstInvalidUtf8, found, lossy, placeOf } from './place.ts';
import { readFloat, whyNoFloat } from './read-float.ts';
import type { LabelSet } from './read-labels.ts';
import { Recall } from './recall.ts';
import { unescapeText } from './unescape.ts';

export interface ReaderSettings {
  readonly limits?: PageLimits | undefined;
  /** A backslash before another letter than those with a meaning is refused. */
  readonly definedEscapesOnly?: boolean;
}

/** A byte order mark inside a text is data. */
const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A place in a page and the words both formats are made of. Each `read…` starts at `at` and leaves it behind
 * what it read, or throws. What stands between the words is up to the parser of the format.
 */
export class PageReader {
  readonly bytes: Uint8Array;
  readonly runs: ByteRuns;
  readonly limits: LimitCheck;
  readonly labelSets: Recall<LabelSet>;
  at = 0;
  readonly #definedEscapesOnly: boolean;
  readonly #names: Recall<string>;
  readonly #words: Recall<string>;

  constructor(bytes: Uint8Array, { limits = NO_LIMITS, definedEscapesOnly = false }: ReaderSettings = {}) {
    this.bytes = bytes;
    this.runs = new ByteRuns(bytes);
    this.limits = new LimitCheck(bytes, limits);
    this.#definedEscapesOnly = definedEscapesOnly;
    this.labelSets = new Recall(this.runs);
    this.#names = new Recall(this.runs);
    this.#words = new Recall(this.runs);
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

  /** Undefined, and nothing read, where no bare metric name begins here. */
  readMetricName(): string | undefined {
    return this.#readName(this.#names, NAME_START, NAME);
  }

  atLabelName(): boolean {
    return ((CLASS[this.bytes[this.at] ?? 0] ?? 0) & LABEL_START) !== 0;
  }

  readLabelName(): string | undefined {
    const from = this.at;
    const name = this.#readName(this.#words, LABEL_START, LABEL);
    if (name !== undefined) this.limits.label(this.at - from, 'the name of a label', from);
    return name;
  }

  #readName(words: Recall<string>, start: number, rest: number): string | undefined {
    const from = this.at;
    const { bytes } = this;
    const classes = CLASS;
    const expected = words.expected(from);
    if (expected !== undefined && ((classes[bytes[from + expected.length] ?? 0] ?? 0) & rest) === 0) {
      this.at = from + expected.length;
      return expected.value;
    }
    if (((classes[bytes[from] ?? 0] ?? 0) & start) === 0) return undefined;
    let at = from + 1;
    while (((classes[bytes[at] ?? 0] ?? 0) & rest) !== 0) at += 1;
    this.at = at;
    return this.#word(words, from, at);
  }

  /**
   * A text in double quotes with the escapes `\\`, `\"` and `\n`; another backslash stays, as in Prometheus.
   * A raw line feed is refused in either format, as the format documents and expfmt do: Prometheus lets it pass
   * in the text format, but a page where a line may begin inside a value cannot be skipped line by line.
   *
   * @param label whose value it is; absent for a name in quotes
   */
  readQuoted(label?: string): string {
    const { bytes } = this;
    const from = this.at + 1;
    const expected = this.#words.expected(from);
    if (expected !== undefined && bytes[from + expected.length] === QUOTE) {
      this.at = from + expected.length + 1;
      return expected.value;
    }
    let at = from;
    let seen = 0;
    let escaped = false;
    for (;;) {
      const byte = bytes[at] ?? END;
      if (byte === QUOTE) break;
      if (byte === END || byte === LINE_FEED) {
        this.fail(`${quoted(label)} is not closed: expected " before ${this.found(at)}`, from - 1);
      }
      seen |= byte;
      at += 1;
      if (byte === BACKSLASH) {
        escaped = true;
        const next = bytes[at] ?? END;
        if (next !== END && next !== LINE_FEED) at += 1;
      }
    }
    this.at = at + 1;
    if (at - from > this.limits.limits.labelBytes) this.limits.label(at - from, quoted(label), from);
    if (!escaped && seen < 0x80) return this.#word(this.#words, from, at);
    const text = this.decode(from, at, quoted(label));
    if (!escaped) return text;
    this.checkEscapes(from, at, '\\"n', quoted(label));
    return unescapeText(text);
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

  /** Strict UTF-8. */
  decode(start: number, end: number, what: string): string {
    const part = this.bytes.subarray(start, end);
    try {
      return STRICT_UTF8.decode(part);
    } catch {
      const at = start + firstInvalidUtf8(part);
      const byte = (this.bytes[at] ?? 0).toString(16).padStart(2, '0');
      return this.fail(`${what} is no valid UTF-8: found byte 0x${byte}`, at);
    }
  }

  /** In strict mode: refuses a backslash between `start` and `end` before another letter than one of `letters`. */
  checkEscapes(start: number, end: number, letters: string, what: string): void {
    if (!this.#definedEscapesOnly) return;
    for (let at = start; at < end; at += 1) {
      if (this.bytes[at] !== BACKSLASH) continue;
      at += 1;
      const letter = String.fromCharCode(this.bytes[at] ?? 0);
      if (at === end || !letters.includes(letter)) {
        this.fail(`${what} has a backslash with no meaning: write \\\\ for a backslash`, at - 1);
      }
    }
  }

  #word(words: Recall<string>, start: number, end: number): string {
    const known = words.find(start, end);
    if (known !== undefined) return known.value;
    const word = asciiWord(this.bytes, start, end);
    words.add(start, end, word);
    return word;
  }

  found(at: number): string {
    return found(this.bytes, at);
  }

  fail(message: string, at = this.at): never {
    const { line, column } = placeOf(this.bytes, at);
    throw new ExpositionError(message, line, column);
  }
}

function quoted(label: string | undefined): string {
  return label === undefined ? 'a name in quotes' : `the value of label "${label}"`;
}
