/**
 * Strings by their bytes, for one page.
 *
 * A page repeats a few hundred names and label values thousands of times: decoding each once is several times
 * faster than `TextDecoder` for each, and their samples share the strings.
 */
export class WordTable {
  readonly #words = new Map<number, string>();
  readonly #decoder = new TextDecoder();

  /** `hash` is of exactly these bytes, which must be ASCII. */
  word(bytes: Uint8Array, start: number, end: number, hash: number): string {
    const known = this.#words.get(hash);
    if (known !== undefined && isSpelled(known, bytes, start, end)) return known;
    const word = this.#decoder.decode(bytes.subarray(start, end));
    if (known === undefined) this.#words.set(hash, word);
    return word;
  }
}

function isSpelled(word: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at += 1) {
    if (word.charCodeAt(at - start) !== bytes[at]) return false;
  }
  return true;
}
