import type { ByteRuns } from './byte-runs.ts';

/** A part of the page and what was made of it. */
interface Known<T> {
  readonly start: number;
  readonly length: number;
  readonly value: T;
  /** What came after it the last time. */
  next: Known<T> | undefined;
}

/**
 * What a parser made of parts of one page, so that a repeated part is made once and shared.
 *
 * A page repeats a few hundred names and label sets thousands of times, and nearly always in the order in which
 * they came before: the buckets of one histogram after another, the same labels on gauge after gauge. So the part
 * that followed last time is compared first, before anything is scanned or hashed.
 */
export class Recall<T> {
  readonly #runs: ByteRuns;
  readonly #byHash = new Map<number, Known<T>>();
  #last: Known<T> | undefined;

  constructor(runs: ByteRuns) {
    this.#runs = runs;
  }

  /** The part that followed last time, if the bytes at `at` begin with it. */
  expected(at: number): { readonly length: number; readonly value: T } | undefined {
    const guess = this.#last?.next;
    if (guess === undefined || !this.#runs.equal(guess.start, at, guess.length)) return undefined;
    this.#last = guess;
    return guess;
  }

  /** The part between `start` and `end`, if it was there before. */
  find(start: number, end: number): { readonly value: T } | undefined {
    const known = this.#byHash.get(this.#runs.hash(start, end));
    if (known === undefined || known.length !== end - start) return undefined;
    if (!this.#runs.equal(known.start, start, known.length)) return undefined;
    this.#follow(known);
    return known;
  }

  /** Of two parts of one hash the newer is kept: each is made anew where they alternate. */
  add(start: number, end: number, value: T): void {
    const known = { start, length: end - start, value, next: undefined };
    this.#byHash.set(this.#runs.hash(start, end), known);
    this.#follow(known);
  }

  #follow(known: Known<T>): void {
    if (this.#last !== undefined) this.#last.next = known;
    this.#last = known;
  }
}
