import { LINE_FEED } from './bytes.ts';

/** Of each byte of a word: a line feed, the lowest bit, the highest bit. */
const FEEDS = 0x0a0a0a0a;
const LOWEST = 0x01010101;
const HIGHEST = 0x80808080 | 0;

/**
 * Long runs of a page's bytes, four at a time: what is compared and searched here is the bulk of a page, and is
 * several times faster than byte by byte. `indexOf` would cost more for its call than for a line's few bytes.
 */
export class ByteRuns {
  readonly #bytes: Uint8Array;
  readonly #words: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Whether `length` bytes are the same at both places; never where they would reach beyond the page. */
  equal(one: number, other: number, length: number): boolean {
    const bytes = this.#bytes;
    const words = this.#words;
    if (Math.max(one, other) + length > bytes.length) return false;
    let index = 0;
    for (; index + 4 <= length; index += 4) {
      if (words.getInt32(one + index, true) !== words.getInt32(other + index, true)) return false;
    }
    for (; index < length; index += 1) {
      if (bytes[one + index] !== bytes[other + index]) return false;
    }
    return true;
  }

  /** The first line feed at or behind `at`; the page's length where there is none. */
  lineFeed(at: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const last = bytes.length - 4;
    let from = at;
    while (from <= last) {
      // A byte that is a line feed becomes 0, and only words with a 0 borrow into a high bit that was not set.
      const differing = words.getInt32(from, true) ^ FEEDS;
      if (((differing - LOWEST) & ~differing & HIGHEST) !== 0) break;
      from += 4;
    }
    while (from < bytes.length && bytes[from] !== LINE_FEED) from += 1;
    return from;
  }
}
