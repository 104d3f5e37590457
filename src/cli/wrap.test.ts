import { expect, test } from 'vitest';
import { COLUMNS, wrap } from './wrap.ts';

test('a text that fits is one line', () => {
  expect(wrap('  kind  ', 'vLLM')).toBe('  kind  vLLM\n');
});

test('a longer one goes on under its beginning and never beyond the width', () => {
  const text = wrap('  why  ', 'all work and no play '.repeat(20).trim());
  const lines = text.trimEnd().split('\n');
  expect(lines.length).toBeGreaterThan(4);
  expect(lines.slice(1).every((line) => /^ {7}\S/.test(line))).toBe(true);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(COLUMNS);
  expect(Math.max(...lines.map((line) => line.length))).toBeGreaterThan(COLUMNS - 6);
});

test('a word longer than a line stays whole on a line of its own', () => {
  const long = 'x'.repeat(100);
  expect(wrap('- ', `a ${long} b`, '')).toBe(`- a\n${long}\nb\n`);
});
