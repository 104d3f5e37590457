import { expect, test } from 'vitest';

import { formatBytes, formatDuration, parseBytes, parseDuration } from './quantity.ts';

test.each([
  ['500ms', 500],
  ['1s', 1_000],
  ['1.5s', 1_500],
  ['2 m', 120_000],
  ['1h', 3_600_000],
])('%s is %d ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '1', 's', '1 sec', '-1s', '1S', '1e3ms', '1s 5ms', 'constructor', '1constructor'])(
  '"%s" is no duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test.each([
  [0, 0],
  [1024, 1024],
  ['1024', 1024],
  ['32MiB', 33_554_432],
  ['32 MB', 32_000_000],
  ['0.5KiB', 512],
])('%s is %d bytes', (value, bytes) => {
  expect(parseBytes(value)).toBe(bytes);
});

test.each([-1, 1.5, Number.NaN, '', '32mib', '32M', '-1KB'])('%s is no size', (value) => {
  expect(parseBytes(value)).toBeUndefined();
});

test('quantities are written back in their largest exact unit', () => {
  expect([0, 500, 1_000, 1_500, 120_000].map(formatDuration)).toEqual(['0ms', '500ms', '1s', '1500ms', '2m']);
  expect([0, 1_000, 1024, 33_554_432].map(formatBytes)).toEqual(['0B', '1000B', '1KiB', '32MiB']);
});
