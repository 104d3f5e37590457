import { BYTE, blanksEnd, JsonFaultError, scalarEnd, stringEnd } from './json-token.ts';

/** Where a value stands in the bytes: `start` is its first byte, `end` the one behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonFault {
  /** Byte offset. */
  readonly at: number;
  /** For a person: "a comma or }"; undefined where it is JSON and nests too deep. */
  readonly expected: string | undefined;
}

/** What stands in the outermost value of a text; `isObject` is false for a list or a scalar, which has no keys. */
export interface TopLevel {
  readonly isObject: boolean;
  /** Of equal keys the last, as JSON.parse has it. */
  readonly values: ReadonlyMap<string, Span>;
}

/**
 * Brackets that may be open at once. Deeper than any request there is, and below what engines can read: Python's
 * parsers give up at a thousand or less.
 */
export const MAX_DEPTH = 512;

/** What must come next, blanks aside. Numbers: the loop over the bytes compares little else. */
const [VALUE, VALUE_OR_CLOSE, KEY, KEY_OR_CLOSE, COLON, NEXT] = [0, 1, 2, 3, 4, 5];

/** Keys to look for, made ready once. */
export type WantedKeys = readonly { readonly name: string; readonly letters: Uint8Array }[];

/** @param names made of letters, digits and underscores */
export function wantedKeys(...names: readonly string[]): WantedKeys {
  const encoder = new TextEncoder();
  return names.map((name) => ({ name, letters: encoder.encode(name) }));
}

export function scanTopLevel(bytes: Uint8Array, wanted: WantedKeys): TopLevel | JsonFault {
  const scan = new TopLevelScan(bytes, wanted);
  scan.run(bytes.byteLength);
  return scan.result;
}

/**
 * Checks that the bytes are JSON, as JSON.parse would, and finds the values of the outermost object under the wanted
 * keys. Nothing is built and nothing recurses, so that a large or hostile body costs its length and no more; and that
 * can be paid in parts.
 */
export class TopLevelScan {
  readonly #bytes: Uint8Array;
  readonly #wanted: WantedKeys;
  readonly #values = new Map<string, Span>();
  /** By depth, the bracket that closes it. */
  readonly #open = new Uint8Array(MAX_DEPTH + 1);
  #isObject = false;
  #depth = 0;
  #wants = VALUE;
  #key: string | undefined;
  #keyedFrom = 0;
  #at: number;
  #fault: JsonFault | undefined;

  constructor(bytes: Uint8Array, wanted: WantedKeys) {
    this.#bytes = bytes;
    this.#wanted = wanted;
    this.#at = hasMark(bytes) ? 3 : 0;
  }

  /** Known when a run has said so. */
  get result(): TopLevel | JsonFault {
    return this.#fault ?? { isObject: this.#isObject, values: this.#values };
  }

  /** Goes on for about so many bytes. @returns whether it is done */
  run(atMost: number): boolean {
    try {
      const { byteLength } = this.#bytes;
      this.#pass(Math.min(byteLength, this.#at + atMost));
      if (this.#at < byteLength) return false;
      if (this.#depth > 0 || this.#wants !== NEXT)
        throw unexpected(this.#at, this.#wants, this.#open[this.#depth]);
    } catch (fault) {
      if (!(fault instanceof JsonFaultError)) throw fault;
      this.#fault = { at: fault.at, expected: fault.expected };
    }
    return true;
  }

  /** Its state is in locals while it runs: the loop goes over every token of what may be 32 MiB. */
  #pass(until: number): void {
    const bytes = this.#bytes;
    const open = this.#open;
    let depth = this.#depth;
    let wants = this.#wants;
    let at = this.#at;
    try {
      for (;;) {
        at = blanksEnd(bytes, at, until);
        if (at >= until) return;
        const byte = bytes[at] ?? 0;
        const closing = open[depth];
        if (byte === closing && wants !== VALUE && wants !== KEY && wants !== COLON) {
          depth -= 1;
          at += 1;
          wants = NEXT;
        } else if (wants === NEXT) {
          if (byte !== BYTE.comma || depth === 0) throw unexpected(at, wants, closing);
          at += 1;
          wants = closing === BYTE.closeObject ? KEY : VALUE;
          continue;
        } else if (wants === COLON) {
          if (byte !== BYTE.colon) throw unexpected(at, wants, closing);
          at += 1;
          wants = VALUE;
          continue;
        } else if (wants >= KEY) {
          if (byte !== BYTE.quote) throw unexpected(at, wants, closing);
          const end = stringEnd(bytes, at);
          if (depth === 1) this.#key = this.#wantedName(at + 1, end - 1);
          at = end;
          wants = COLON;
          continue;
        } else if (byte === BYTE.openObject || byte === BYTE.openList) {
          if (depth === MAX_DEPTH) throw new JsonFaultError(at, undefined);
          if (depth === 0) this.#isObject = byte === BYTE.openObject;
          if (depth === 1) this.#keyedFrom = at;
          depth += 1;
          // In ASCII a closing bracket stands two behind its opening one.
          open[depth] = byte + 2;
          at += 1;
          wants = byte === BYTE.openObject ? KEY_OR_CLOSE : VALUE_OR_CLOSE;
          continue;
        } else {
          if (depth === 1) this.#keyedFrom = at;
          at = scalarEnd(bytes, at);
          wants = NEXT;
        }
        if (depth === 1 && this.#key !== undefined) {
          this.#values.set(this.#key, { start: this.#keyedFrom, end: at });
        }
      }
    } finally {
      this.#depth = depth;
      this.#wants = wants;
      this.#at = at;
    }
  }

  #wantedName(start: number, end: number): string | undefined {
    for (const { name, letters } of this.#wanted) if (isName(this.#bytes, start, end, letters)) return name;
    return undefined;
  }
}

function unexpected(at: number, wants: number, closing: number | undefined): JsonFaultError {
  return new JsonFaultError(at, expected(wants, closing));
}

function expected(wants: number, closing: number | undefined): string {
  switch (wants) {
    case KEY:
    case KEY_OR_CLOSE:
      return 'a field name in double quotes';
    case COLON:
      return 'a colon';
    case NEXT:
      if (closing === 0) return 'nothing behind the closing bracket';
      return closing === BYTE.closeObject ? 'a comma or }' : 'a comma or ]';
    default:
      return 'a value';
  }
}

/** A byte order mark. */
function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Whether a string in JSON, its quotes left out, is this name; its letters may be written as \uXXXX. */
function isName(bytes: Uint8Array, start: number, end: number, letters: Uint8Array): boolean {
  let at = start;
  for (let index = 0; index < letters.byteLength; index += 1) {
    if (at >= end) return false;
    let character = bytes[at];
    at += 1;
    if (character === BYTE.backslash) {
      // No other escape stands for what names are made of.
      if (bytes[at] !== BYTE.smallU) return false;
      character = Number.parseInt(String.fromCharCode(...bytes.subarray(at + 1, at + 5)), 16);
      at += 5;
    }
    if (character !== letters[index]) return false;
  }
  return at === end;
}
