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
    const last = length - 4;
    if (last < 0) return this.#equalBytes(one, other, length);
    for (let index = 0; index < last; index += 4) {
      if (words.getInt32(one + index, true) !== words.getInt32(other + index, true)) return false;
    }
    // The last word overlaps the one before it, which saves the bytes left over.
    return words.getInt32(one + last, true) === words.getInt32(other + last, true);
  }

  #equalBytes(one: number, other: number, length: number): boolean {
    for (let index = 0; index < length; index += 1) {
      if (this.#bytes[one + index] !== this.#bytes[other + index]) return false;
    }
    return true;
  }

  /** Of the bytes from `start` to `end`: the same for equal ones, and seldom for others. */
  hash(start: number, end: number): number {
    const words = this.#words;
    let hash = end - start;
    let at = start;
    for (; at + 4 <= end; at += 4) hash = mix(hash, words.getInt32(at, true));
    for (; at < end; at += 1) hash = mix(hash, this.#bytes[at] ?? 0);
    return hash;
  }

  /** The first line feed at or behind `at`; the page's length where there is none. */
  lineFeed(at: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    const last = bytes.length - 8;
    let from = at;
    while (from <= last) {
      // A byte that is a line feed becomes 0, and only words with a 0 borrow into a high bit that was not set.
      const first = words.getInt32(from, true) ^ FEEDS;
      const second = words.getInt32(from + 4, true) ^ FEEDS;
      if (((((first - LOWEST) & ~first) | ((second - LOWEST) & ~second)) & HIGHEST) !== 0) break;
      from += 8;
    }
    while (from < bytes.length && bytes[from] !== LINE_FEED) from += 1;
    return from;
  }
}

/** The high bits of a product depend on all that came before, the low ones do not: they change places. */
function mix(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1);
  return product ^ (product >>> 15);
}
