import { expect, test } from 'vitest';

import { ByteRuns } from './byte-runs.ts';
import { parseExposition } from './parse.ts';
import { Recall } from './recall.ts';

/** Two words of one hash, found by trying. */
const ONE = 'lqqwtj2z';
const OTHER = 'l12ec097';

test('parts of one hash stay apart', () => {
  const page = new TextEncoder().encode(`${ONE}${OTHER}${ONE}${OTHER}`);
  const runs = new ByteRuns(page);
  expect(runs.hash(0, 8)).toBe(runs.hash(8, 16));
  const recall = new Recall<string>(runs);
  recall.add(0, 8, ONE);
  expect(recall.find(8, 16)).toBeUndefined();
  expect(recall.find(16, 24)?.value).toBe(ONE);
  recall.add(8, 16, OTHER);
  expect(recall.find(24, 32)?.value).toBe(OTHER);
  expect(recall.find(16, 24)).toBeUndefined();
});

test('on a page, too: as names, labels and values', () => {
  const page = `${ONE}{${OTHER}="${ONE}"} 1\n${OTHER}{${ONE}="${OTHER}",${OTHER}="${ONE}"} 2\n`;
  expect(parseExposition(new TextEncoder().encode(page), 'text-0.0.4').samples).toEqual([
    { name: ONE, labels: { [OTHER]: ONE }, value: 1 },
    { name: OTHER, labels: { [ONE]: OTHER, [OTHER]: ONE }, value: 2 },
  ]);
});

test('what followed last time is expected, and only where it stands whole', () => {
  const page = new TextEncoder().encode('ab cd ab cd ab c');
  const recall = new Recall<string>(new ByteRuns(page));
  expect(recall.expected(0)).toBeUndefined();
  recall.add(0, 2, 'ab');
  recall.add(3, 5, 'cd');
  expect(recall.find(6, 8)?.value).toBe('ab');
  expect(recall.expected(9)).toMatchObject({ value: 'cd', length: 2 });
  expect(recall.expected(12)).toMatchObject({ value: 'ab' });
  expect(recall.expected(15)).toBeUndefined();
});

test('equal label sets of a page are one object, and a name that only begins alike is another', () => {
  const page = 'a{x="1",y="2"} 1\nab{x="1",y="2"} 2\na{x="1",y="23"} 3\na 4\nab 5\na 6\nabc 7\n';
  const { samples } = parseExposition(new TextEncoder().encode(page), 'text-0.0.4');
  expect(samples.map(({ name, value }) => [name, value])).toEqual([
    ['a', 1],
    ['ab', 2],
    ['a', 3],
    ['a', 4],
    ['ab', 5],
    ['a', 6],
    ['abc', 7],
  ]);
  expect(samples[0]?.labels).toBe(samples[1]?.labels);
  expect(samples[2]?.labels).toEqual({ x: '1', y: '23' });
});
