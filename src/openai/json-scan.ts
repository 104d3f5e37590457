/** Where a value stands in the bytes: `start` is its first byte, `end` the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonFault {
  /** Byte offset. */
  readonly at: number;
  /** For a person: "a comma or }". */
  readonly expected: string;
}

/**
 * The values of the outermost object by key (of equal keys the last, as JSON.parse has it), found without building
 * anything; or the first place where the text is not JSON. Undefined for JSON that is not an object.
 */
export function scanTopLevel(bytes: Uint8Array): ReadonlyMap<string, Span> | JsonFault | undefined {
  const scan = new Scan(bytes);
  try {
    return scan.whole();
  } catch (fault) {
    if (fault instanceof Fault) return { at: fault.at, expected: fault.expected };
    throw fault;
  }
}

/** Line and column, both from 1, as an editor shows them. */
export function positionOf(
  bytes: Uint8Array,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = new TextDecoder().decode(bytes.subarray(0, at));
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: before.length - lastBreak };
}

class Fault extends Error {
  readonly at: number;
  readonly expected: string;
  constructor(at: number, expected: string) {
    super(expected);
    this.at = at;
    this.expected = expected;
  }
}

const code = (character: string): number => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON] = [code('"'), code('\\'), code(','), code(':')];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [code('{'), code('}'), code('['), code(']')];
const BLANK = new Set([code(' '), code('\t'), code('\n'), code('\r')]);
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const ESCAPED = new Set([...'"\\/bfnrt'].map(code));

class Scan {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) this.#at = 3;
  }

  whole(): ReadonlyMap<string, Span> | undefined {
    const found = new Map<string, Span>();
    // Brackets that are open, outermost first: nesting may be deep, so no recursion.
    const open: number[] = [];
    let key: string | undefined;
    let start = 0;
    this.#blanks();
    const isObject = this.#bytes[this.#at] === OPEN_OBJECT;
    let wants: 'value' | 'value-or-close' | 'key' | 'key-or-close' | 'next' = 'value';
    do {
      this.#blanks();
      const byte = this.#bytes[this.#at];
      const inner = open.at(-1);
      const close = inner === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_LIST;
      if (open.length > 0 && byte === close && wants !== 'value' && wants !== 'key') {
        this.#at += 1;
        open.pop();
        wants = 'next';
      } else if (wants === 'next') {
        if (byte !== COMMA) throw this.#fault(inner === OPEN_OBJECT ? 'a comma or }' : 'a comma or ]');
        this.#at += 1;
        wants = inner === OPEN_OBJECT ? 'key' : 'value';
        continue;
      } else if (wants === 'key' || wants === 'key-or-close') {
        const named = this.#key();
        if (open.length === 1) key = named;
        wants = 'value';
        this.#blanks();
        if (open.length === 1) start = this.#at;
        continue;
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        this.#at += 1;
        open.push(byte);
        wants = byte === OPEN_OBJECT ? 'key-or-close' : 'value-or-close';
        continue;
      } else {
        this.#scalar(byte);
        wants = 'next';
      }
      if (isObject && open.length === 1 && key !== undefined) found.set(key, { start, end: this.#at });
    } while (open.length > 0);
    this.#blanks();
    if (this.#at < this.#bytes.byteLength) throw this.#fault('nothing behind the closing bracket');
    return isObject ? found : undefined;
  }

  #blanks(): void {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined || !BLANK.has(byte)) return;
      this.#at += 1;
    }
  }

  #key(): string {
    if (this.#bytes[this.#at] !== QUOTE) throw this.#fault('a field name in double quotes');
    const from = this.#at;
    this.#string();
    const name = String(JSON.parse(new TextDecoder().decode(this.#bytes.subarray(from, this.#at))));
    this.#blanks();
    if (this.#bytes[this.#at] !== COLON) throw this.#fault('a colon');
    this.#at += 1;
    return name;
  }

  #scalar(byte: number | undefined): void {
    if (byte === QUOTE) {
      this.#string();
      return;
    }
    const from = this.#at;
    while (isWordByte(this.#bytes[this.#at])) this.#at += 1;
    const word = new TextDecoder().decode(this.#bytes.subarray(from, this.#at));
    if (WORD.test(word)) return;
    this.#at = from;
    throw this.#fault('a value');
  }

  #string(): void {
    this.#at += 1;
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) throw this.#fault('a closing double quote');
      if (byte < 32) throw this.#fault('no control character in a string');
      if (byte === BACKSLASH) this.#escape();
      else this.#at += 1;
      if (byte === QUOTE) return;
    }
  }

  #escape(): void {
    const kind = this.#bytes[this.#at + 1];
    if (kind !== undefined && ESCAPED.has(kind)) {
      this.#at += 2;
      return;
    }
    const digits = new TextDecoder().decode(this.#bytes.subarray(this.#at + 2, this.#at + 6));
    if (kind !== code('u') || !/^[0-9a-fA-F]{4}$/.test(digits)) throw this.#fault('a known escape');
    this.#at += 6;
  }

  #fault(expected: string): Fault {
    return new Fault(this.#at, expected);
  }
}

function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return (
    (byte >= 48 && byte <= 57) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 97 && byte <= 122) ||
    byte === 43 ||
    byte === 45 ||
    byte === 46
  );
}
