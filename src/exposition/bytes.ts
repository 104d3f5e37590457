/** The bytes that mean something in an exposition. `END` is what reading past the last byte gives. */
export const END = -1;
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const BLANK = 0x20;
export const QUOTE = 0x22;
export const HASH = 0x23;
export const COMMA = 0x2c;
export const EQUALS = 0x3d;
export const MINUS = 0x2d;
export const BACKSLASH = 0x5c;
export const BRACE_OPEN = 0x7b;
export const BRACE_CLOSE = 0x7d;

/** Metric names: `[a-zA-Z_:][a-zA-Z0-9_:]*`. Label names: the same without colons. */
export const NAME_START = 1;
export const NAME = 2;
export const LABEL_START = 4;
export const LABEL = 8;

/** What a byte may be part of, as a bit set of the four above. */
export const CLASS: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(256);
  const mark = (first: string, last: string, bits: number): void => {
    table.fill(bits, first.charCodeAt(0), last.charCodeAt(0) + 1);
  };
  mark('a', 'z', NAME_START | NAME | LABEL_START | LABEL);
  mark('A', 'Z', NAME_START | NAME | LABEL_START | LABEL);
  mark('_', '_', NAME_START | NAME | LABEL_START | LABEL);
  mark(':', ':', NAME_START | NAME);
  mark('0', '9', NAME | LABEL);
  return table;
}
