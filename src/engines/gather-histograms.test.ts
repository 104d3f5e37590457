import { expect, test } from 'vitest';
import { samplesOf } from '../../test/kit/page-samples.ts';
import { gatherHistograms } from './gather-histograms.ts';

function gathered(...lines: readonly string[]) {
  const samples = samplesOf(...lines);
  const named = (suffix: string) => samples.filter(({ name }) => name.endsWith(suffix));
  return [
    ...gatherHistograms({ buckets: named('_bucket'), sums: named('_sum'), counts: named('_count') }),
  ].map(({ labels, parts }) => [
    labels,
    parts.buckets.map(({ le, count }) => [le, count]),
    parts.sum,
    parts.count,
  ]);
}

test('buckets of several series that stand mixed find their own', () => {
  expect(
    gathered(
      'h_bucket{a="1",le="1"} 1',
      'h_bucket{a="2",le="1"} 10',
      'h_bucket{le="2",a="1"} 2',
      'h_bucket{a="2",le="2"} 20',
      'h_sum{a="2"} 7',
      'h_count{a="1"} 2',
    ),
  ).toEqual([
    [
      { a: '1' },
      [
        [1, 1],
        [2, 2],
      ],
      undefined,
      2,
    ],
    [
      { a: '2' },
      [
        [1, 10],
        [2, 20],
      ],
      7,
      undefined,
    ],
  ]);
});

test('a series whose labels are a part of the one before is another series', () => {
  expect(
    gathered('h_bucket{a="1",b="2",le="1"} 1', 'h_bucket{a="1",le="1"} 2', 'h_bucket{a="1",b="2",le="2"} 3'),
  ).toEqual([
    [
      { a: '1', b: '2' },
      [
        [1, 1],
        [2, 3],
      ],
      undefined,
      undefined,
    ],
    [{ a: '1' }, [[1, 2]], undefined, undefined],
  ]);
  expect(gathered('h_bucket{a="1",le="1"} 2', 'h_bucket{a="1",b="2",le="1"} 1').length).toBe(2);
});

test('label order does not make another series, and a value cannot pass for a name', () => {
  expect(gathered('h_sum{a="1",b="2"} 1', 'h_count{b="2",a="1"} 3').length).toBe(1);
  expect(gathered('h_sum{a="1,b=1:2"} 1', 'h_sum{a="1",b="2"} 3').length).toBe(2);
});
