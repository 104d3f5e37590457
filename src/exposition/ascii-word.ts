const DECODER = new TextDecoder();

/** V8 keeps strings below 13 letters in one piece however they are put together. */
const SHORT = 12;

/** Of bytes below 0x80. A short word, as most are, is put together faster than a decoder is called. */
export function asciiWord(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > SHORT) return DECODER.decode(bytes.subarray(start, end));
  let word = '';
  for (let at = start; at < end; at += 1) word += String.fromCharCode(bytes[at] ?? 0);
  return word;
}
