import { expect, test } from 'vitest';

import { writeText, writeTextChunks } from './write-text.ts';

const sample = (name: string, value: number, labels = {}) => ({ name, labels, value });

test('a family is HELP, TYPE and its samples', () => {
  const page = writeText([
    {
      name: 'vllm:num_requests_running',
      type: 'gauge',
      help: 'Requests \\ in\nexecution "now".',
      samples: [
        {
          ...sample('vllm:num_requests_running', 2, { engine: '0', model_name: 'a"b\\c\nd' }),
          timestampMs: 5,
        },
        sample('vllm:num_requests_running', 0.5),
      ],
    },
    { name: 'x', type: 'unknown', samples: [] },
  ]);
  expect(page).toBe(
    [
      '# HELP vllm:num_requests_running Requests \\\\ in\\nexecution "now".',
      '# TYPE vllm:num_requests_running gauge',
      'vllm:num_requests_running{engine="0",model_name="a\\"b\\\\c\\nd"} 2',
      'vllm:num_requests_running 0.5',
      '# TYPE x untyped',
      '',
    ].join('\n'),
  );
});

test('families of one name are one group, with HELP and TYPE once', () => {
  const page = writeText([
    { name: 'a', type: 'gauge', samples: [sample('a', 1)] },
    { name: 'b', type: 'counter', samples: [sample('b', 2)] },
    { name: 'a', type: 'counter', help: 'A.', samples: [sample('a', 3, { x: 'y' })] },
  ]);
  expect(page).toBe('# HELP a A.\n# TYPE a gauge\na 1\na{x="y"} 3\n# TYPE b counter\nb 2\n');
});

test.each([
  ['info', 'gauge'],
  ['stateset', 'gauge'],
  ['gaugehistogram', 'untyped'],
  ['unknown', 'untyped'],
  ['summary', 'summary'],
] as const)('type %s is written as %s', (type, word) => {
  expect(writeText([{ name: 'a', type, samples: [] }])).toBe(`# TYPE a ${word}\n`);
});

test('names that Prometheus refuses become ones that it takes', () => {
  const labels = { 'a-b': '1', a_b: '2', '0': '3', 'x:y': '4', __name__: '5', 'a.b': '6', '': '7' };
  expect(writeText([{ name: '0my.metric', type: 'gauge', samples: [sample('0my.metric', 1, labels)] }])).toBe(
    '# TYPE _my_metric gauge\n_my_metric{_="3",a_b_="1",a_b="2",x_y="4",__name___="5",a_b__="6",__="7"} 1\n',
  );
});

test('a chunk is one family', () => {
  const families = ['a', 'b', 'c'].map(
    (name) => ({ name, type: 'gauge', samples: [sample(name, 1)] }) as const,
  );
  expect([...writeTextChunks(families)]).toHaveLength(3);
  expect([...writeTextChunks([])]).toEqual([]);
});
