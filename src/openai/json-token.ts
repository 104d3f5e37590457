/** The bytes that JSON is made of. */
export const BYTE = {
  quote: 0x22,
  backslash: 0x5c,
  comma: 0x2c,
  colon: 0x3a,
  openObject: 0x7b,
  closeObject: 0x7d,
  openList: 0x5b,
  closeList: 0x5d,
  minus: 0x2d,
  plus: 0x2b,
  dot: 0x2e,
  zero: 0x30,
  nine: 0x39,
  largeE: 0x45,
  smallE: 0x65,
  smallU: 0x75,
} as const;

const encoder = new TextEncoder();
const [TRUE, FALSE, NULL] = [encoder.encode('true'), encoder.encode('false'), encoder.encode('null')];
const ESCAPED = new Set([...'"\\/bfnrt'].map((character) => character.charCodeAt(0)));

/** Where the bytes stop being JSON, and what should stand there. */
export class JsonFaultError extends Error {
  override readonly name = 'JsonFaultError';
  readonly at: number;
  readonly expected: string | undefined;
  constructor(at: number, expected: string | undefined) {
    super(expected ?? 'nested too deep');
    this.at = at;
    this.expected = expected;
  }
}

export function blanksEnd(bytes: Uint8Array, from: number, until = bytes.byteLength): number {
  let at = from;
  for (; at < until; at += 1) {
    const byte = bytes[at];
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) break;
  }
  return at;
}

/** @param from at the opening quote */
export function stringEnd(bytes: Uint8Array, from: number): number {
  const { byteLength } = bytes;
  let at = from + 1;
  while (at < byteLength) {
    const byte = bytes[at] ?? 0;
    if (byte === BYTE.quote) return at + 1;
    if (byte < 32) throw new JsonFaultError(at, 'no control character in a string');
    at = byte === BYTE.backslash ? escapeEnd(bytes, at) : at + 1;
  }
  throw new JsonFaultError(byteLength, 'a closing double quote');
}

function escapeEnd(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1];
  if (kind !== undefined && ESCAPED.has(kind)) return at + 2;
  if (kind !== BYTE.smallU) throw new JsonFaultError(at, 'a known escape');
  for (let digit = at + 2; digit < at + 6; digit += 1) {
    if (!isHexDigit(bytes[digit])) throw new JsonFaultError(at, 'a known escape');
  }
  return at + 6;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 32;
  return isDigit(byte) || (lower >= 97 && lower <= 102);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= BYTE.zero && byte <= BYTE.nine;
}

export function scalarEnd(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === BYTE.quote) return stringEnd(bytes, at);
  const end = byte === BYTE.minus || isDigit(byte) ? numberEnd(bytes, at) : wordEnd(bytes, at);
  if (end === undefined) throw new JsonFaultError(at, 'a value');
  return end;
}

function wordEnd(bytes: Uint8Array, at: number): number | undefined {
  const first = bytes[at];
  const word = first === TRUE[0] ? TRUE : first === FALSE[0] ? FALSE : NULL;
  for (let step = 0; step < word.byteLength; step += 1) if (bytes[at + step] !== word[step]) return undefined;
  return isWordByte(bytes[at + word.byteLength]) ? undefined : at + word.byteLength;
}

function numberEnd(bytes: Uint8Array, from: number): number | undefined {
  const start = bytes[from] === BYTE.minus ? from + 1 : from;
  let at = digitsEnd(bytes, start);
  const leadingZero = bytes[start] === BYTE.zero && at > start + 1;
  if (at === start || leadingZero) return undefined;
  if (bytes[at] === BYTE.dot) {
    const end = digitsEnd(bytes, at + 1);
    if (end === at + 1) return undefined;
    at = end;
  }
  if (bytes[at] === BYTE.smallE || bytes[at] === BYTE.largeE) {
    const sign = bytes[at + 1];
    const digits = sign === BYTE.plus || sign === BYTE.minus ? at + 2 : at + 1;
    const end = digitsEnd(bytes, digits);
    if (end === digits) return undefined;
    at = end;
  }
  return isWordByte(bytes[at]) ? undefined : at;
}

function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from;
  for (; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < BYTE.zero || byte > BYTE.nine) break;
  }
  return at;
}

export function isWordByte(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lower = byte | 32;
  return (
    isDigit(byte) ||
    (lower >= 97 && lower <= 122) ||
    byte === BYTE.plus ||
    byte === BYTE.minus ||
    byte === BYTE.dot
  );
}
