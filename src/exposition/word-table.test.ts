import { expect, test } from 'vitest';

import { HASH_SEED, mixHash } from './bytes.ts';
import { parseExposition } from './parse.ts';
import { WordTable } from './word-table.ts';

const hashOf = (bytes: Uint8Array): number => bytes.reduce(mixHash, HASH_SEED);

test('words of one hash stay apart', () => {
  const page = new TextEncoder().encode('costarring liquid');
  expect(hashOf(page.subarray(0, 10))).toBe(hashOf(page.subarray(11)));
  const words = new WordTable();
  for (let round = 0; round < 2; round += 1) {
    expect(words.word(page, 0, 10, hashOf(page.subarray(0, 10)))).toBe('costarring');
    expect(words.word(page, 11, 17, hashOf(page.subarray(11)))).toBe('liquid');
  }
});

test('on a page, too: as names, labels and values', () => {
  const page = 'declinate{costarring="liquid"} 1\nmacallums{liquid="costarring",declinate="macallums"} 2\n';
  expect(parseExposition(new TextEncoder().encode(page), 'text-0.0.4').samples).toEqual([
    { name: 'declinate', labels: { costarring: 'liquid' }, value: 1 },
    { name: 'macallums', labels: { liquid: 'costarring', declinate: 'macallums' }, value: 2 },
  ]);
});
