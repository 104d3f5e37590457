import fc from 'fast-check';
import { expect, test } from 'vitest';

import { formatBound, formatValue } from './format-number.ts';

test.each([
  [0, '0'],
  [-0, '-0'],
  [12, '12'],
  [1.5, '1.5'],
  [1e21, '1e+21'],
  [1e-7, '1e-7'],
  [Number.NaN, 'NaN'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
])('value %d is written %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

// Each right side is what `floatToGoString` of the Python client returns.
test.each([
  [0, '0.0'],
  [-0, '-0.0'],
  [1, '1.0'],
  [-1, '-1.0'],
  [0.001, '0.001'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.5e-7, '1.5e-07'],
  [0.3, '0.3'],
  [2560, '2560.0'],
  [20000, '20000.0'],
  [999999, '999999.0'],
  [1e6, '1e+06'],
  [1234567.5, '1.2345675e+06'],
  [-1e6, '-1000000.0'],
  [10485760, '1.048576e+07'],
  [1e10, '1e+010'],
  [1e16, '1e+16'],
  [1e100, '1e+100'],
  [Number.POSITIVE_INFINITY, '+Inf'],
  [Number.NEGATIVE_INFINITY, '-Inf'],
  [Number.NaN, 'NaN'],
])('bound %d is written %s', (bound, text) => {
  expect(formatBound(bound)).toBe(text);
});

test('a bound reads back as the same number', () => {
  fc.assert(
    fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (bound) => {
      expect(Number(formatBound(bound))).toBe(bound);
    }),
    { seed: 1, numRuns: 2000 },
  );
});
