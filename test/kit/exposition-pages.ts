import fc from 'fast-check';

import type { Labels, Sample } from '../../src/exposition/exposition.ts';

export const metricName = fc.stringMatching(/^[a-zA-Z_:][a-zA-Z0-9_:]{0,20}$/);
const labelName = fc.oneof(
  fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,10}$/).filter((name) => name !== '__name__'),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'le'),
);
const letters = fc.constantFrom(
  'a',
  '1',
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  ',',
  '{',
  '}',
  '#',
  ' ',
  '\0',
  '\ufeff',
  'é',
  '🚀',
  'n',
);
export const labelValue = fc.oneof(fc.string({ unit: letters }), fc.string({ unit: 'grapheme' }));

const labels: fc.Arbitrary<Labels> = fc
  .uniqueArray(fc.tuple(labelName, labelValue), { selector: ([name]) => name, maxLength: 4 })
  // By `fromEntries`, since an assignment to `__proto__` would be lost.
  .map((entries) => Object.fromEntries(entries));

const value = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0, -0, Number.NaN));

export const sample: fc.Arbitrary<Sample> = fc.record({ name: metricName, labels, value });

/** Pieces of which nearly valid pages are made: most of a random text is refused at its first byte. */
const PIECES = [
  ...['a', 'le', '_b:', 'NaN', 'Inf', '1', '0.5', '-1e3', '1700000000000', 'counter', 'gauge', 'unknown'],
  ...[' ', '\t', '\n', '\r', '{', '}', '"', '=', ',', '\\', '\\n', '#', '\0', 'é', '\ufeff'],
  ...[
    '# TYPE a ',
    '# HELP a ',
    '# UNIT a ',
    '# EOF',
    '{a="b"}',
    ' # {a="b"} 1',
    'a 1\n',
    'a{a="b"} 1\n',
    '# EOF\n',
  ],
];

/** Bytes of any kind: arbitrary ones, and token soup with a bad byte here and there. */
export const anyBytes: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc
    .array(fc.oneof({ weight: 30, arbitrary: fc.constantFrom(...PIECES) }, fc.constant(undefined)), {
      maxLength: 20,
    })
    .map((pieces) => bytesOf(pieces)),
);

function bytesOf(pieces: readonly (string | undefined)[]): Uint8Array {
  const parts = pieces.map((piece) =>
    piece === undefined ? Uint8Array.of(0xff) : new TextEncoder().encode(piece),
  );
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** The same sample as a sloppy exporter may write it, in the text format. */
export const textLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(metricName, fc.constantFrom('wanted', 'wanted_too', 'wante', 'wanted_')),
    fc.array(fc.tuple(labelName, labelValue), { maxLength: 3 }),
    fc.constantFrom('1', '+1.5', 'NaN', '-Inf', '.5', '-0', '1e-3', '12345678901234567890'),
    fc.constantFrom('', ' 17', ' 0'),
    fc.infiniteStream(fc.constantFrom('', '', ' ', '\t', ' \t ')),
    fc.infiniteStream(fc.constantFrom(', ', ',', ' ,')),
  )
  .map(([name, pairs, number, timestamp, blanks, commas]) => {
    const blank = (): string => blanks.next().value ?? '';
    const inner = pairs.map(([label, text]) => {
      return `${blank()}${label}${blank()}=${blank()}"${escaped(text)}"${blank()}`;
    });
    const set = pairs.length === 0 ? ' ' : `${blank()}{${inner.join(commas.next().value ?? ',')}}`;
    return `${blank()}${name}${set}${blank()}${number}${timestamp}${blank()}\n`;
  });

/** A sample of OpenMetrics with all that may follow the value. */
export const openMetricsLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(metricName, fc.constantFrom('wanted', 'wanted_too')),
    labels,
    fc.constantFrom('1', '+1.5', 'NaN', '-Inf', '1e-3'),
    fc.constantFrom('', ' 1700000000.123', ' -1.5'),
    fc.option(fc.tuple(labels, fc.constantFrom('', ' 17.25'))),
  )
  .map(([name, pairs, number, timestamp, exemplar]) => {
    const tail = exemplar === null ? '' : ` # ${braces(exemplar[0])} 0.5${exemplar[1]}`;
    return `${name}${braces(pairs)} ${number}${timestamp}${tail}\n`;
  });

function braces(pairs: Labels): string {
  return `{${Object.entries(pairs)
    .map(([name, text]) => `${name}="${escaped(text)}"`)
    .join(',')}}`;
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
}

export const metaLine: fc.Arbitrary<string> = fc.constantFrom(
  '\n',
  ' \n',
  '# wanted 1\n',
  '#wanted\n',
  '# HELP wanted wanted 1\n',
  '# TYPE wanted counter\n',
  '  # TYPE wanted_too gauge\n',
  '# HELP other \\n{"\n',
);
