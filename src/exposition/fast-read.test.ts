import { expect, test } from 'vitest';

import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';

const read = (page: string, ...names: string[]) => fastRead(new TextEncoder().encode(page), nameTable(names));

test('series of one name are found wherever they stand, in the order of the page', () => {
  const page =
    'h_sum{e="0"} 1\nh_count{e="0"} 2\n# TYPE h_sum x\nh_sum{e="1"} 3 1700000000000\nh_count{e="1"} 4';
  expect(read(page, 'h_count', 'h_sum')).toEqual([
    { name: 'h_sum', labels: { e: '0' }, value: 1 },
    { name: 'h_count', labels: { e: '0' }, value: 2 },
    { name: 'h_sum', labels: { e: '1' }, value: 3 },
    { name: 'h_count', labels: { e: '1' }, value: 4 },
  ]);
});

test('only the exact name is taken', () => {
  expect(read('ab 1\nabc 2\na 3\n# ab 4\n\nab{} 5\n ab 6\nAB 7\n', 'ab').map(({ value }) => value)).toEqual([
    1, 5, 6,
  ]);
});

test('a timestamp and an exemplar are no part of the value', () => {
  expect(read('a_total{x="}"} 7 1.5 # {t="1"} 9 2\n# EOF\n', 'a_total')).toEqual([
    { name: 'a_total', labels: { x: '}' }, value: 7 },
  ]);
});

test('a broken line of a name that nobody asked for is not looked at', () => {
  expect(read('bad{x= nonsense\na 1\n"\xff}} {\n', 'a')).toHaveLength(1);
});

test('a broken line of a wanted name is named with its place', () => {
  expect(() => read('x 1\nx 2\na{b="c"} -nan\n', 'a')).toThrow(
    'line 3, column 10: expected a number as the value of "a", found "-nan": NaN has no sign',
  );
  expect(() => read('\na{b="c" 1\n', 'a')).toThrow(
    'line 2, column 9: expected , or } after the label, found "1"',
  );
});

test('no page and no names give no samples', () => {
  expect(read('', 'a')).toEqual([]);
  expect(read('a 1\n')).toEqual([]);
  expect(read('a 1\n', '', 'b')).toEqual([]);
});

test('a table of thousands of names finds each of them', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `metric_${index}`);
  const page = names.map((name, index) => `${name} ${index}\n${name}x 1\n`).join('');
  expect(read(page, ...names, ...names).map(({ name }) => name)).toEqual(names);
});
