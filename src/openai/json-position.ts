const LINE_FEED = 10;

/** Line and column, both from 1, as an editor shows them. */
export function positionOf(
  bytes: Uint8Array,
  at: number,
): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let before = 0; before < at; before += 1) {
    if (bytes[before] !== LINE_FEED) continue;
    line += 1;
    lineStart = before + 1;
  }
  let column = 1;
  for (let before = lineStart; before < at; before += 1) {
    // The bytes that go on with a character are no columns of their own.
    if (((bytes[before] ?? 0) & 0xc0) !== 0x80) column += 1;
  }
  return { line, column };
}
