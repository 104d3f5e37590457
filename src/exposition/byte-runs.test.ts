import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ByteRuns } from './byte-runs.ts';

/** Bytes that differ from a line feed in one bit, and at both ends of the range. */
const byte = fc.constantFrom(0x0a, 0x0b, 0x8a, 0x00, 0x01, 0x09, 0x7f, 0x80, 0xff);
const page = fc
  .uint8Array({ maxLength: 40 })
  .chain((any) =>
    fc.array(byte, { minLength: any.length, maxLength: any.length }).map((bytes) => Uint8Array.from(bytes)),
  );

test('the next line feed is the one that `indexOf` finds, from wherever', () => {
  fc.assert(
    fc.property(page, fc.nat(45), fc.nat(3), (bytes, at, offset) => {
      // A page may be a part of a larger buffer, at any offset.
      const part = new Uint8Array([...new Uint8Array(offset), ...bytes, 0x0a]).subarray(
        offset,
        offset + bytes.length,
      );
      const found = part.indexOf(0x0a, at);
      expect(new ByteRuns(part).lineFeed(at)).toBe(found === -1 ? Math.max(at, part.length) : found);
    }),
    { seed: 1, numRuns: 5000 },
  );
});

test('runs are equal when every byte is, and never beyond the page', () => {
  const twoLetters = fc.array(fc.constantFrom(1, 2), { minLength: 8, maxLength: 24 });
  let equal = 0;
  fc.assert(
    fc.property(twoLetters, fc.nat(12), fc.nat(12), fc.nat(8), (letters, one, other, length) => {
      const bytes = Uint8Array.from(letters);
      const whole = Math.max(one, other) + length <= bytes.length;
      const same = `${bytes.subarray(one, one + length)}` === `${bytes.subarray(other, other + length)}`;
      expect(new ByteRuns(bytes).equal(one, other, length)).toBe(whole && same);
      if (whole && same && one !== other && length > 3) equal += 1;
    }),
    { seed: 1, numRuns: 5000 },
  );
  expect(equal).toBeGreaterThan(20);
});
