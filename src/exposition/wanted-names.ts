import type { ByteRuns } from './byte-runs.ts';
import { CLASS, NAME } from './bytes.ts';
import { findName, type NameTable } from './name-table.ts';

/** The names at the beginnings of a page's lines, and which of them are wanted. */
export class WantedNames {
  /** Behind the name that was looked at last. */
  end = 0;
  readonly #bytes: Uint8Array;
  readonly #runs: ByteRuns;
  readonly #table: NameTable;
  #start = 0;
  #wanted: string | undefined;

  constructor(bytes: Uint8Array, runs: ByteRuns, table: NameTable) {
    this.#bytes = bytes;
    this.#runs = runs;
    this.#table = table;
  }

  /**
   * The name that begins at `start`, if it is wanted. Lines of one name follow one another, and comparing is
   * quicker than looking it up.
   */
  at(start: number): string | undefined {
    const length = this.end - this.#start;
    const same = !this.#isName(start + length) && this.#runs.equal(this.#start, start, length);
    if (same) {
      this.end = start + length;
    } else {
      this.end = start;
      while (this.#isName(this.end)) this.end += 1;
      const hash = this.#runs.hash(start, this.end);
      this.#wanted = findName(this.#table, this.#bytes, start, this.end, hash);
    }
    this.#start = start;
    return this.#wanted;
  }

  #isName(at: number): boolean {
    return ((CLASS[this.#bytes[at] ?? 0] ?? 0) & NAME) !== 0;
  }
}
