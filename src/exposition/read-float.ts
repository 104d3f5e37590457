/** Powers of ten that a float64 holds exactly: one division or multiplication by them rounds correctly. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

// Each alternative starts differently, so that a megabyte of digits is read once and not once per digit.
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const INFINITE = /^[+-]?inf(?:inity)?$/i;

/**
 * The float64 written in these bytes, or undefined where Go's ParseFloat (with Prometheus' own refusal of
 * hexadecimal and of `_`) would refuse them. JavaScript's `Number` takes `0x10`, blanks and `1e999`: Go does not.
 */
export function readFloat(bytes: Uint8Array, start: number, end: number): number | undefined {
  return plainDecimal(bytes, start, end) ?? parseFloat64(ascii(bytes, start, end));
}

/** The same of a text, such as a bound in a label. */
export function parseFloat64(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  if (INFINITE.test(text)) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return /^nan$/i.test(text) ? Number.NaN : undefined;
}

/** Why `parseFloat64` refuses a text, for a person. */
export function whyNoFloat(text: string): string {
  if (DECIMAL.test(text)) return 'the number is larger than a 64-bit float can hold';
  if (/^[+-]nan$/i.test(text)) return 'NaN has no sign';
  if (/^[+-]?0[xbo]/i.test(text)) return 'only decimal numbers are allowed';
  if (/^"[^"]*"$/.test(text)) return 'a value stands without quotes';
  if (/^[+-]?[\d.]+_/.test(text)) return 'digits are not separated by _';
  if (/^[+-]?\d+,\d/.test(text)) return 'the decimal separator is a point, and digits are not grouped';
  if (text.endsWith('\r')) return 'lines end in a line feed alone, without a carriage return';
  return 'it is no number';
}

/**
 * Most values are a few digits with a point somewhere: these need no string. Within 16 characters the result is
 * exact: 15 digits and a power of ten are, and one division rounds once; 16 digits are below 2^54, where the sum
 * of an even product and the last digit rounds once too.
 */
function plainDecimal(bytes: Uint8Array, start: number, end: number): number | undefined {
  if (end - start > 16) return undefined;
  let digits = 0;
  let scale = 0;
  let point = -1;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x30 && byte <= 0x39) {
      digits = digits * 10 + byte - 0x30;
    } else if (byte === 0x2e && point === -1) {
      point = at;
      scale = end - at - 1;
    } else {
      return undefined;
    }
  }
  if (end - start === (point === -1 ? 0 : 1)) return undefined;
  return digits / (EXACT_POWERS[scale] ?? 1);
}

const LOSSY = new TextDecoder();

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return LOSSY.decode(bytes.subarray(start, end));
}
