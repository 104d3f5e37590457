import { expect, test } from 'vitest';

import type { MetricType, Sample } from './exposition.ts';
import { parseExposition } from './parse.ts';
import { writeOpenMetrics } from './write-open-metrics.ts';
import type { WrittenFamily } from './write-text.ts';

const sample = (name: string, value: number, labels = {}): Sample => ({ name, labels, value });
const family = (name: string, type: MetricType, ...samples: readonly Sample[]): WrittenFamily => ({
  name,
  type,
  samples,
});

/** What is written is read back in strict mode before it is shown. */
function written(families: readonly WrittenFamily[]): string {
  const page = writeOpenMetrics(families);
  parseExposition(new TextEncoder().encode(page), 'openmetrics-1.0.0', { strict: true });
  return page;
}

const histogram = (name: string, count = 3): WrittenFamily =>
  family(
    name,
    'histogram',
    sample(`${name}_bucket`, 1, { le: '1.0' }),
    sample(`${name}_bucket`, 3, { le: '+Inf' }),
    sample(`${name}_sum`, 4.5),
    sample(`${name}_count`, count),
  );

test('metadata of a counter lacks _total, its sample has it', () => {
  const tokens = { ...family('vllm:prompt_tokens_total', 'counter', sample('vllm:prompt_tokens_total', 7)) };
  expect(written([{ ...tokens, help: 'Say "x"\\\n.', unit: 'tokens' }])).toBe(
    [
      '# TYPE vllm:prompt_tokens counter',
      '# UNIT vllm:prompt_tokens tokens',
      '# HELP vllm:prompt_tokens Say \\"x\\"\\\\\\n.',
      'vllm:prompt_tokens_total 7',
      '# EOF',
      '',
    ].join('\n'),
  );
});

test('the unit stands only where the name ends in it', () => {
  const page = written([
    { ...family('a_seconds', 'gauge', sample('a_seconds', 1)), unit: 'seconds' },
    { ...family('b', 'gauge', sample('b', 1)), unit: 'seconds' },
    { ...family('c_perc', 'gauge', sample('c_perc', 1)), unit: 'ratio' },
  ]);
  expect(page.match(/^# UNIT.*$/gm)).toEqual(['# UNIT a_seconds seconds']);
});

test('a histogram whose name ends in _total is one', () => {
  const page = written([histogram('vllm:iteration_tokens_total')]);
  expect(page).toContain('# TYPE vllm:iteration_tokens_total histogram\n');
  expect(page).toContain('vllm:iteration_tokens_total_bucket{le="+Inf"} 3\n');
});

test('types that only OpenMetrics has are kept', () => {
  const page = written([
    family('build_info', 'info', sample('build_info', 1, { version: '1' })),
    family('state', 'stateset', sample('state', 1, { state: 'on' }), sample('state', 0, { state: 'off' })),
    family('odd', 'unknown', sample('odd', Number.NaN)),
    family('s', 'summary', sample('s', 2, { quantile: '0.5' }), sample('s_sum', 9), sample('s_count', 4)),
  ]);
  expect(page.match(/^# TYPE .*$/gm)).toEqual([
    '# TYPE build info',
    '# TYPE state stateset',
    '# TYPE odd unknown',
    '# TYPE s summary',
  ]);
});

test.each<[string, readonly WrittenFamily[], readonly string[]]>([
  [
    'a gauge and a counter that would have one name',
    [family('x', 'gauge', sample('x', 1)), family('x_total', 'counter', sample('x_total', 2))],
    ['# TYPE x gauge', '# TYPE x_total unknown'],
  ],
  [
    'the same in the other order',
    [family('x_total', 'counter', sample('x_total', 2)), family('x', 'gauge', sample('x', 1))],
    ['# TYPE x gauge', '# TYPE x_total unknown'],
  ],
  [
    'a histogram and a counter that would have one name',
    [histogram('x'), family('x_total', 'counter', sample('x_total', 2))],
    ['# TYPE x histogram', '# TYPE x_total unknown'],
  ],
  [
    'a gauge of a name that a histogram has',
    [histogram('x'), family('x_count', 'gauge', sample('x_count', 1, { a: 'b' }))],
    ['# TYPE x_count gauge', '# TYPE x_bucket unknown', '# TYPE x_sum unknown'],
  ],
  [
    'a counter without _total',
    [family('requests', 'counter', sample('requests', 1))],
    ['# TYPE requests unknown'],
  ],
  ['a negative counter', [family('x_total', 'counter', sample('x_total', -1))], ['# TYPE x_total unknown']],
  [
    'a histogram read in the middle of a change',
    [histogram('x', 5)],
    ['# TYPE x_bucket unknown', '# TYPE x_sum unknown', '# TYPE x_count unknown'],
  ],
  ['an info of another value', [family('x_info', 'info', sample('x_info', 0))], ['# TYPE x_info unknown']],
  [
    'two types of one name',
    [family('a', 'gauge', sample('a', 1)), family('a', 'counter', sample('a', 2, { b: 'c' }))],
    ['# TYPE a unknown'],
  ],
])('%s: every series keeps its name and nothing is refused', (_, families, types) => {
  const page = written(families);
  expect(page.match(/^# TYPE .*$/gm)).toEqual(types);
  const { samples } = parseExposition(new TextEncoder().encode(page), 'openmetrics-1.0.0');
  const all = families.flatMap((one) => one.samples);
  expect(samples).toHaveLength(all.length);
  expect(samples).toEqual(expect.arrayContaining(all));
});

test('families of one name stand together, declared once', () => {
  const page = written([
    family('a_total', 'counter', sample('a_total', 1, { e: '0' })),
    family('b', 'gauge', sample('b', 2)),
    family('a_total', 'counter', sample('a_total', 3, { e: '1' })),
  ]);
  expect(page).toBe('# TYPE a counter\na_total{e="0"} 1\na_total{e="1"} 3\n# TYPE b gauge\nb 2\n# EOF\n');
});

test('names beyond the classic ones are written as asked', () => {
  const families = [family('my.metric_total', 'counter', sample('my.metric_total', 1, { 'a.b': 'c' }))];
  expect(writeOpenMetrics(families, 'allow-utf-8')).toBe(
    '# TYPE "my.metric" counter\n{"my.metric_total","a.b"="c"} 1\n# EOF\n',
  );
  expect(writeOpenMetrics(families)).toBe('# TYPE my_metric counter\nmy_metric_total{a_b="c"} 1\n# EOF\n');
  expect(writeOpenMetrics(families, 'values')).toContain('U__my_2e_metric__total{U__a_2e_b="c"} 1\n');
});

test('an empty page is its end', () => {
  expect(writeOpenMetrics([])).toBe('# EOF\n');
});

// Were a family copied for each part that joins it, this would take minutes.
test('a family that comes in 100,000 parts is one family', () => {
  const parts = Array.from({ length: 100_000 }, (_, at) =>
    family('a', 'gauge', sample('a', 1, { at: `${at}` })),
  );
  expect(writeOpenMetrics(parts).split('\n')).toHaveLength(100_003);
});

test('so is one that is no family of OpenMetrics', () => {
  const parts = Array.from({ length: 100_000 }, (_, at) =>
    family('a', 'counter', sample('a', 1, { at: `${at}` })),
  );
  expect(writeOpenMetrics(parts).match(/# TYPE/g)).toHaveLength(1);
});
