import fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { anyBytes } from '../../test/kit/exposition-pages.ts';
import { ExpositionError, type ExpositionFormat } from './exposition.ts';
import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';
import { notAPage } from './not-a-page.ts';
import { parseExposition } from './parse.ts';

const FORMATS: readonly ExpositionFormat[] = ['text-0.0.4', 'text-1.0.0', 'openmetrics-1.0.0'];
const table = nameTable(['a', 'h_bucket', 'foo_total']);

/** Parses or is refused at a place that exists; any other error is a crash. Returns whether it parsed. */
function parsesOrPoints(bytes: Uint8Array, read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    const lines = new TextDecoder().decode(bytes).split('\n');
    expect(error.line).toBeGreaterThan(0);
    expect(error.line).toBeLessThanOrEqual(lines.length);
    expect(error.column).toBeGreaterThan(0);
    expect(error.column).toBeLessThanOrEqual((lines[error.line - 1] ?? '').length + 2);
    expect(error.message).toMatch(/^line \d+, column \d+: .{10}/);
    return false;
  }
}

test('any bytes either parse or are refused with line and column', () => {
  let parsed = 0;
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      for (const format of FORMATS) {
        if (parsesOrPoints(bytes, () => parseExposition(bytes, format))) parsed += 1;
      }
      parsesOrPoints(bytes, () => fastRead(bytes, table));
      notAPage(bytes);
    }),
    { seed: 1, numRuns: 5000 },
  );
  // Else the generator would only ever make pages that fail at once.
  expect(parsed).toBeGreaterThan(500);
});

const TEXT_PAGE = `# HELP h Laten\\ncy é.
# TYPE h histogram
h_bucket{m="x\\"é",le="0.1"} 1
h_bucket { m = "x" , le="+Inf",}\t4 1700000000000
h_sum{m="x"} 5.25
# a comment
a 1e3
`;

const OPEN_METRICS_PAGE = `# TYPE foo counter
# HELP foo Requests \\"é\\".
# UNIT foo
foo_total{a="b\\n"} 17.0 1520879607.789 # {trace_id="é"} 0.67 1520879607.5
foo_created 1.7e+09
# EOF
`.replace('# UNIT foo\n', '# TYPE a_seconds gauge\n# UNIT a_seconds seconds\n');

test.each([
  ['text-0.0.4', TEXT_PAGE],
  ['openmetrics-1.0.0', OPEN_METRICS_PAGE],
] as const)('a %s page damaged at any byte parses or is refused', (format, page) => {
  const whole = new TextEncoder().encode(page);
  expect(parsesOrPoints(whole, () => parseExposition(whole, format))).toBe(true);
  const read = (bytes: Uint8Array): void => {
    const parsed = parsesOrPoints(bytes, () => parseExposition(bytes, format));
    const fast = parsesOrPoints(bytes, () => fastRead(bytes, table));
    // What the full parser accepts, the fast read must not refuse.
    if (parsed) expect(fast).toBe(true);
  };
  for (let at = 0; at < whole.length; at += 1) {
    read(whole.subarray(0, at));
    read(whole.subarray(at));
    for (const byte of [0, 0x0a, 0x20, 0x22, 0x5c, 0x7b, 0x7d, 0x23, 0x2c, 0x31, 0xff]) {
      read(whole.with(at, byte));
    }
  }
});

test('an OpenMetrics page cut anywhere before its last line is refused', () => {
  const whole = new TextEncoder().encode(OPEN_METRICS_PAGE);
  for (let end = 0; end < whole.length - 1; end += 1) {
    expect(() => parseExposition(whole.subarray(0, end), 'openmetrics-1.0.0')).toThrow(ExpositionError);
  }
});

/** Counts the bytes that a reader looks at, whichever way. */
function counted(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly reads: () => number } {
  let reads = 0;
  const getInt32 = DataView.prototype.getInt32;
  vi.spyOn(DataView.prototype, 'getInt32').mockImplementation(function (this: DataView, at, little) {
    reads += 4;
    return getInt32.call(this, at, little);
  });
  const proxy = new Proxy(bytes, {
    get(target, key) {
      if (key === 'indexOf') {
        return (byte: number, from = 0) => {
          const at = target.indexOf(byte, from);
          reads += (at === -1 ? target.length : at) - from + 1;
          return at;
        };
      }
      if (key === 'subarray') {
        return (start: number, end: number) => {
          reads += end - start;
          return target.subarray(start, end);
        };
      }
      if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
      return Reflect.get(target, key, target);
    },
  });
  return { bytes: proxy, reads: () => reads };
}

test.each([
  ['lines', (n: number) => 'a{b="c"} 1\n'.repeat(n)],
  ['one long name', (n: number) => `${'a'.repeat(n)} 1\n`],
  ['one long value', (n: number) => `a ${'1'.repeat(n)}x\n`],
  ['one long label value', (n: number) => `a{b="${'é\\n'.repeat(n)}"} 1\n`],
  ['an unclosed label value', (n: number) => `a{b="${'x\\'.repeat(n)}`],
  [
    'many labels',
    (n: number) => `a{${Array.from({ length: n }, (_, at) => `b${10_000 + at}="c"`).join(',')}} 1\n`,
  ],
  ['blanks', (n: number) => `a${' '.repeat(n)}1${' '.repeat(n)}\n`],
  ['blank lines', (n: number) => '\n'.repeat(n)],
  ['comments', (n: number) => '# TYPE\n# HELP a b\n'.repeat(n)],
  ['a bad byte far into the text', (n: number) => `# HELP a ${'é'.repeat(n)}\x01`],
  ['an error on the last line', (n: number) => `${'a 1\n'.repeat(n)}a b\n`],
  ['names in quotes', (n: number) => '{"a.b","c.d"="e"} 1\n'.repeat(n)],
  ['one long name in quotes', (n: number) => `{"${'a.'.repeat(n)}"} 1\n`],
  ['two label sets by turns', (n: number) => 'a{b="c"} 1\na{b="cd"} 1\na{b="cde"} 1\n'.repeat(n)],
  ['label sets of which each is new', (n: number) => lines(n, (at) => `a{b="${at}",c="d"} 1`)],
  ['names of which each is new', (n: number) => lines(n, (at) => `a${at} 1`)],
  ['open braces', (n: number) => `a${'{'.repeat(n)} 1\n`],
  ['braces that never close', (n: number) => `a{b="c",d="${'}'.repeat(n)}\n`],
  ['families', (n: number) => lines(n, (at) => `# TYPE a${at} gauge\na${at} 1`)],
])('the work grows with the page and not faster: %s', (_, page) => {
  for (const read of [
    (bytes: Uint8Array) => parseExposition(bytes, 'text-0.0.4'),
    (bytes: Uint8Array) => parseExposition(bytes, 'openmetrics-1.0.0'),
    (bytes: Uint8Array) => parseExposition(bytes, 'text-1.0.0', { strict: true }),
    (bytes: Uint8Array) => fastRead(bytes, table),
  ]) {
    const readsFor = (n: number): number => {
      const bytes = new TextEncoder().encode(page(n)).map((byte) => (byte === 1 ? 0xff : byte));
      const watched = counted(bytes);
      parsesOrPoints(bytes, () => read(watched.bytes));
      vi.restoreAllMocks();
      return watched.reads();
    };
    expect(readsFor(2000)).toBeLessThan(2.2 * readsFor(1000) + 200);
  }
});

function lines(count: number, line: (at: number) => string): string {
  // All of one length, so that twice the lines are twice the page.
  return Array.from({ length: count }, (_, at) => `${line(10_000 + at)}\n`).join('');
}
