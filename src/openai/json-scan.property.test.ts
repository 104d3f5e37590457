import fc from 'fast-check';
import { expect, test } from 'vitest';

import { firstElements } from './json-elements.ts';
import { positionOf } from './json-position.ts';
import { MAX_DEPTH, scanTopLevel, TopLevelScan, wantedKeys } from './json-scan.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a-z_]{0,6}$/));

test('each span holds exactly the value JSON.parse finds under its key', () => {
  fc.assert(
    fc.property(fc.dictionary(key, fc.jsonValue()), fc.constantFrom(0, 1, 3), (object, indent) => {
      const bytes = encode(JSON.stringify(object, undefined, indent));
      const wanted = Object.keys(object).filter((name) => /^\w*$/.test(name));
      const found = scanTopLevel(bytes, wantedKeys(...wanted));
      if (!('values' in found)) throw new Error('no spans');
      const spans = found.values;
      const parsed = JSON.parse(JSON.stringify(object)) as Record<string, unknown>;
      expect([...spans.keys()].sort()).toEqual(wanted.toSorted());
      for (const [key, { start, end }] of spans) {
        expect(JSON.parse(new TextDecoder().decode(bytes.subarray(start, end)))).toEqual(parsed[key]);
      }
    }),
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
          const result = scanTopLevel(encode(text), wantedKeys('a'));
          expect([text, 'values' in result]).toEqual([text, valid]);
        }
      },
    ),
    { seed: 2, numRuns: 1000 },
  );
});

const nested = (depth: number): Uint8Array =>
  encode(`{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`);

test('nesting has a bound, and whatever is deeper costs no more than its beginning', () => {
  const found = scanTopLevel(nested(MAX_DEPTH), wantedKeys('a'));
  expect(found).toEqual({
    isObject: true,
    values: new Map([['a', { start: 5, end: 5 + 2 * (MAX_DEPTH - 1) }]]),
  });
  for (const depth of [MAX_DEPTH + 1, 1_000_000]) {
    expect(scanTopLevel(nested(depth), [])).toEqual({
      at: 5 + MAX_DEPTH - 1,
      expected: undefined,
    });
  }
});

test('only what is wanted is kept', () => {
  const found = scanTopLevel(encode('{"a":1,"b":{"a":2},"c":3}'), wantedKeys('c', 'x'));
  expect(found).toEqual({ isObject: true, values: new Map([['c', { start: 23, end: 24 }]]) });
});

test('the elements of a list are those JSON.parse finds', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 6 }),
      fc.constantFrom(0, 2),
      fc.nat(7),
      (list, indent, most) => {
        const bytes = encode(`  ${JSON.stringify(list, undefined, indent)} `);
        const limits = { elements: most, bytes: bytes.byteLength };
        const spans = firstElements(bytes, { start: 2, end: bytes.byteLength - 1 }, limits);
        const values = spans.map(({ start, end }) =>
          JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))),
        );
        expect(values).toEqual((JSON.parse(JSON.stringify(list)) as unknown[]).slice(0, most));
      },
    ),
    { seed: 3, numRuns: 500 },
  );
});

test('of a list that reaches further than one looks, the elements are those whose end was seen', () => {
  const bytes = encode('["aaaa",{"b":[1]},["cccc"]]');
  const within = (most: number) => firstElements(bytes, { start: 0, end: 27 }, { elements: 9, bytes: most });
  expect(within(27).map(({ end }) => end)).toEqual([7, 17, 26]);
  expect(within(12)).toEqual([
    { start: 1, end: 7 },
    { start: 8, end: undefined },
  ]);
  expect(within(1)).toEqual([]);
});

test('it may be paid in parts of any size', () => {
  const text = JSON.stringify(
    { model: 'm', messages: [{ role: 'user', content: 'a\nb' }, 1, -2.5e3, null] },
    undefined,
    1,
  );
  const whole = scanTopLevel(encode(text), wantedKeys('model', 'messages'));
  for (let part = 1; part < text.length; part += 1) {
    const scan = new TopLevelScan(encode(text), wantedKeys('model', 'messages'));
    while (!scan.run(part));
    expect([part, scan.result]).toEqual([part, whole]);
  }
});

test('a place is told as an editor shows it', () => {
  const text = encode('{"é":\n "x€",\n\n}');
  expect([0, 4, 7, 14, 16].map((at) => positionOf(text, at))).toEqual([
    { line: 1, column: 1 },
    { line: 1, column: 4 },
    { line: 2, column: 1 },
    { line: 2, column: 6 },
    { line: 3, column: 1 },
  ]);
});
