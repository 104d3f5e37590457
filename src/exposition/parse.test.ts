import { expect, test } from 'vitest';

import { ExpositionError, type ExpositionFormat } from './exposition.ts';
import { formatOf, parseExposition } from './parse.ts';

const TEXT = 'text-0.0.4';
const OPEN_METRICS = 'openmetrics-1.0.0';

const parse = (page: string, format: ExpositionFormat = TEXT) =>
  parseExposition(new TextEncoder().encode(page), format);

test.each([
  [undefined, TEXT],
  ['', TEXT],
  ['text/plain', TEXT],
  ['text/plain; version=0.0.4; charset=utf-8', TEXT],
  ['text/plain;version="1.0.0";escaping=allow-utf-8', 'text-1.0.0'],
  ['application/json', TEXT],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', OPEN_METRICS],
  ['Application/OpenMetrics-Text', OPEN_METRICS],
  ['application/openmetrics-text; version=0.0.1', OPEN_METRICS],
] as const)('content type %j is read as %s', (contentType, format) => {
  expect(formatOf(contentType)).toBe(format);
});

test.each<[string, string, number, number, RegExp]>([
  ['a name alone', 'a 1\nb\n', 2, 2, /expected a number as the value of "b", found the end of the line/],
  [
    'a bad character in a name',
    'vllm/x 1',
    1,
    5,
    /expected a blank or { after metric name "vllm", found "\/x"/,
  ],
  ['a column after wide characters', 'a{b="é🚀",c=d} 1', 1, 12, /label "c" in double quotes, found "d}"/],
  ['a value with a unit', 'a  93%\n', 1, 4, /found "93%": it is no number/],
  ['a cut label', 'a 1\nb{c="d', 2, 5, /"c" is not closed: expected " before the end of the page/],
  ['a backslash at the end', 'b{c="d\\', 1, 5, /not closed/],
  ['CR LF', 'a 1\r\n', 1, 3, /found "1\\r": lines end in a line feed alone/],
  ['a blank line of CR LF', 'a 1\n\r\n', 2, 1, /found a carriage return/],
  ['a byte order mark', '\ufeffa 1\n', 1, 1, /found a byte order mark/],
  ['a NUL before a name', 'a 1\n\0b 1\n', 2, 1, /found "\\u0000b"/],
  ['HTML', '<html>\n', 1, 1, /expected a metrics page, found an HTML page/],
  ['JSON', '{"a": 1}', 1, 1, /expected a metrics page, found a JSON document/],
  ['a type nobody knows', '# TYPE a meter\n', 1, 10, /\(counter, gauge, .*untyped\), found "meter"/],
  ['a type that is missing', '# TYPE a\n', 1, 9, /expected the type of "a" .*, found the end of the line/],
  ['a label that is the name', 'a{__name__="b"} 1', 1, 3, /"__name__" is the metric name/],
  ['a label twice', 'a{b="",b=""} 1', 1, 8, /label "b" stands twice/],
  ['a label twice, of a name objects have', 'a{toString="",toString=""} 1', 1, 15, /stands twice/],
  ['a reserved label twice', 'a{__proto__="",__proto__=""} 1', 1, 16, /stands twice/],
  ['a timestamp too large', 'a 1 9223372036854775808', 1, 5, /it is too large/],
  ['a very long token', `a ${'x'.repeat(1e5)}`, 1, 3, /found "x{60}…": it is no number/],
])('%s is pointed at', (_, page, line, column, message) => {
  expect(refusal(page, TEXT)).toMatchObject({ line, column, message: expect.stringMatching(message) });
});

test.each<[string, string, number, number, RegExp]>([
  ['a missing end', 'a 1\n', 2, 1, /expected # EOF as the last line, found the end of the page/],
  ['more after the end', '# EOF\n\n', 2, 1, /expected nothing after # EOF, found the end of the line/],
  ['a comment', '# hello\n# EOF', 1, 1, /expected # HELP, .* found "# hello"/],
  ['a trailing blank', 'a 1 \n# EOF', 1, 4, /expected the end of the line, found a blank before it/],
  ['a text after the timestamp', 'a 1 2 3\n# EOF', 1, 6, /expected the end of the line, found a blank/],
  [
    'a unit of another name',
    '# UNIT a_bytes seconds\n# EOF',
    1,
    16,
    /"a_bytes" ends in after _, found "seconds"/,
  ],
  ['an infinite exemplar time', 'a 1 # {} 1 Inf\n# EOF', 1, 12, /it is no point in time/],
  [
    'an exemplar without a value',
    'a 1 # {}\n# EOF',
    1,
    9,
    /expected one blank and a number as the exemplar's/,
  ],
  ['HELP without its blank', '# HELP a\n# EOF', 1, 9, /expected one blank and the help of "a"/],
  [
    'a line without its end',
    '# TYPE a gauge',
    1,
    15,
    /expected the end of the line, found the end of the page/,
  ],
  [
    'UNIT of a bad name',
    '# UNIT a_-b b\n# EOF',
    1,
    10,
    /expected one blank and the unit of "a_", found "-b"/,
  ],
])('in OpenMetrics %s is pointed at', (_, page, line, column, message) => {
  expect(refusal(page, OPEN_METRICS)).toMatchObject({
    line,
    column,
    message: expect.stringMatching(message),
  });
});

test('the first bad byte is pointed at, behind whole characters', () => {
  const bytes = Uint8Array.of(...new TextEncoder().encode('a{b="é🚀'), 0xf0, 0x9f, 0x22, 0x7d, 0x20, 0x31);
  expect(() => parseExposition(bytes, TEXT)).toThrow(
    'line 1, column 8: the value of label "b" is no valid UTF-8: found byte 0xf0',
  );
});

test('labels of names that objects have are labels like others', () => {
  const [sample] = parse('a{constructor="1",__proto__="2",le="3"} 1').samples;
  expect(Object.entries(sample?.labels ?? {})).toEqual([
    ['constructor', '1'],
    ['__proto__', '2'],
    ['le', '3'],
  ]);
});

test('what Prometheus takes between name and value is taken', () => {
  const values = parse('a-1\nb.5\nc{}1\nd\t{\t}\t2\t3\t\ne+Inf').samples.map(({ name, value }) => [
    name,
    value,
  ]);
  expect(values).toEqual([
    ['a', -1],
    ['b', 0.5],
    ['c', 1],
    ['d', 2],
    ['e', Number.POSITIVE_INFINITY],
  ]);
});

test('metadata without samples is kept, in the order of first mention', () => {
  const page = '# HELP b B \\\\ \\n \\" \n# TYPE a gauge\n# TYPE b counter\n# HELP c\n# HELP d \n';
  expect(parse(page).families).toEqual([
    { name: 'b', type: 'counter', help: 'B \\ \n \\" ' },
    { name: 'a', type: 'gauge' },
    { name: 'c', type: 'unknown', help: '' },
    { name: 'd', type: 'unknown', help: '' },
  ]);
});

test('comments may hold any bytes', () => {
  const comment = Uint8Array.of(0x23, 0x20, 0xff, 0, 0x0d, 0x0a, 0x23, 0xfe);
  expect(parseExposition(comment, TEXT)).toEqual({ families: [], samples: [] });
});

test('two labels may come without a comma only in the text format', () => {
  expect(parse('a{b="c"d="e"} 1').samples[0]?.labels).toEqual({ b: 'c', d: 'e' });
  expect(refusal('a{b="c"d="e"} 1\n# EOF', OPEN_METRICS).column).toBe(8);
});

test('seconds of OpenMetrics become whole milliseconds, cut towards zero', () => {
  const times = parse('a 1 1.0019\na 1 -1.0019\na 1 -0.0001\n# EOF', OPEN_METRICS).samples.map(
    (s) => s.timestampMs,
  );
  expect(times).toEqual([1001, -1001, 0]);
});

function refusal(page: string, format: ExpositionFormat): ExpositionError {
  try {
    parse(page, format);
  } catch (error) {
    if (error instanceof ExpositionError) return error;
    throw error;
  }
  throw new Error('it was accepted');
}
