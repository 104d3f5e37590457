import fc from 'fast-check';
import { expect, test } from 'vitest';

import { scanTopLevel } from './json-scan.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

test('each span holds exactly the value JSON.parse finds under its key', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
      fc.constantFrom(0, 1, 3),
      (object, indent) => {
        const bytes = encode(JSON.stringify(object, undefined, indent));
        const spans = scanTopLevel(bytes);
        if (!(spans instanceof Map)) throw new Error('no spans');
        const parsed = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
        expect([...spans.keys()].sort()).toEqual(Object.keys(parsed).sort());
        for (const [key, { start, end }] of spans) {
          expect(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)))).toEqual(parsed[key]);
        }
      },
    ),
    { seed: 1, numRuns: 500 },
  );
});

test('it faults exactly where JSON.parse does', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    '0',
    '.5',
    'e1',
    'true',
    'nul',
    ' ',
    '\n',
    '"\\u00e9"',
    '"\\x"',
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.json({ maxDepth: 2 }),
      fc.nat(),
      (pieces, json, cut) => {
        for (const text of [
          pieces.join(''),
          json,
          json.slice(0, cut % (json.length + 1)) + pieces.join(''),
        ]) {
          let valid = true;
          try {
            JSON.parse(text);
          } catch {
            valid = false;
          }
          const result = scanTopLevel(encode(text));
          expect([text, result === undefined || result instanceof Map]).toEqual([text, valid]);
        }
      },
    ),
    { seed: 2, numRuns: 1000 },
  );
});

test('deep nesting does not exhaust the stack', () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  expect(scanTopLevel(encode(`{"a":${deep}}`))).toEqual(new Map([['a', { start: 5, end: 200_005 }]]));
});
