import fc from 'fast-check';
import { expect, test } from 'vitest';

import { readFloat, whyNoFloat } from './read-float.ts';

const read = (text: string): number | undefined => {
  const bytes = new TextEncoder().encode(`x${text}y`);
  return readFloat(bytes, 1, bytes.length - 1);
};

test.each([
  ['0', 0],
  ['-0', -0],
  ['+1', 1],
  ['.5', 0.5],
  ['5.', 5],
  ['1e3', 1000],
  ['1E+3', 1000],
  ['1e-400', 0],
  ['00012', 12],
  ['9007199254740993', 9007199254740992],
  ['9999999999999999', 1e16],
  ['1234567890123.45', 1234567890123.45],
  ['123456789.1234567', 123456789.1234567],
  ['inf', Number.POSITIVE_INFINITY],
  ['-Infinity', Number.NEGATIVE_INFINITY],
  ['nAn', Number.NaN],
])('%s is read as Go reads it', (text, value) => {
  expect(read(text)).toBe(value);
});

test.each([
  ['', 'it is no number'],
  ['.', 'it is no number'],
  ['+', 'it is no number'],
  ['1e', 'it is no number'],
  ['1.2.3', 'it is no number'],
  ['infinit', 'it is no number'],
  ['٣', 'it is no number'],
  ['1e999', 'the number is larger than a 64-bit float can hold'],
  ['-nan', 'NaN has no sign'],
  ['0x10', 'only decimal numbers are allowed'],
  ['0b1', 'only decimal numbers are allowed'],
  ['1_000', 'digits are not separated by _'],
  ['0,93', 'the decimal separator is a point, and digits are not grouped'],
  ['"1"', 'a value stands without quotes'],
  ['1\r', 'lines end in a line feed alone, without a carriage return'],
])('%j is refused, and said why', (text, why) => {
  expect(read(text)).toBeUndefined();
  expect(whyNoFloat(text)).toBe(why);
});

test('the short way and the general way give the same number, whichever the length', () => {
  const plain = fc.tuple(fc.stringMatching(/^\d{1,17}$/), fc.nat(18));
  fc.assert(
    fc.property(plain, ([digits, point]) => {
      const text = point > digits.length ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
      expect(read(text)).toBe(Number(text));
    }),
    { seed: 1, numRuns: 2000 },
  );
});

test('every double is read back from its shortest text', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (value) => {
      expect(read(Object.is(value, -0) ? '-0' : String(value))).toBe(value);
    }),
    { seed: 1, numRuns: 2000 },
  );
});
