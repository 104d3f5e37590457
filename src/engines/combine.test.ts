import { expect, test } from 'vitest';
import type { RankRule } from '../catalog/family.ts';
import { combine } from './combine.ts';
import type { Series } from './reading.ts';

const ranks = (...values: readonly number[]): readonly Series[] =>
  values.map((value, rank) => ({ labels: { engine: String(rank) }, value }));

const family = (rule: RankRule) =>
  ({ name: 'x', type: 'gauge', unit: 'none', labels: ['reason'], help: '', ranks: rule }) as const;

test.each([
  { rule: 'sum', expected: 6 },
  { rule: 'max', expected: 3 },
  { rule: 'mean', expected: 2 },
  { rule: 'newest', expected: 3 },
  { rule: 'info', expected: 3 },
] as const)('ranks of 1, 2 and 3 are $expected by $rule', ({ rule, expected }) => {
  expect(combine(family(rule), ranks(1, 2, 3))).toEqual(new Map([['', expected]]));
});

test('label values stay apart, ranks and models do not', () => {
  const series: readonly Series[] = [
    { labels: { engine: '0', reason: 'capacity' }, value: 1 },
    { labels: { engine: '1', reason: 'capacity' }, value: 2 },
    { labels: { engine: '0', model_name: 'other', reason: 'capacity' }, value: 4 },
    { labels: { engine: '0', reason: 'deferred' }, value: 8 },
  ];
  expect(combine(family('sum'), series)).toEqual(
    new Map([
      ['{reason="capacity"}', 7],
      ['{reason="deferred"}', 8],
    ]),
  );
});

test('of the newest only its own labels remain', () => {
  const series: readonly Series[] = [
    { labels: { engine: '0', reason: 'old' }, value: 10 },
    { labels: { engine: '1', reason: 'new' }, value: 11 },
  ];
  expect(combine(family('newest'), series)).toEqual(new Map([['{reason="new"}', 11]]));
});

test('histograms of unequal bounds combine to count and sum', () => {
  const histogram = (le: number, count: number, sum: number | undefined): Series['value'] => ({
    buckets: [
      { le, count },
      { le: Number.POSITIVE_INFINITY, count },
    ],
    sum,
    count,
  });
  const one = { labels: { engine: '0' }, value: histogram(1, 2, 5) };
  const other = { labels: { engine: '1' }, value: histogram(2, 3, 7) };
  const bare = { labels: { engine: '2' }, value: histogram(2, 1, undefined) };
  expect(combine(family('sum'), [one, other])).toEqual(new Map([['', { count: 5, sum: 12 }]]));
  expect(combine(family('sum'), [one, bare])).toEqual(new Map([['', { count: 3, sum: undefined }]]));
});

test('NaN of every rank is no value', () => {
  expect(combine(family('mean'), ranks(Number.NaN, Number.NaN)).size).toBe(0);
  expect(combine(family('mean'), ranks(Number.NaN, 4))).toEqual(new Map([['', 4]]));
});

test.each(['sum', 'max', 'mean', 'newest'] as const)(
  // Were each series copied into a longer list, or all given to one call, this would take minutes or fail.
  '200,000 series of one group combine by %s, in one pass',
  (rule) => {
    const series = ranks(...Array.from({ length: 10 }, () => 1));
    const many = Array.from({ length: 20_000 }, () => series).flat();
    expect([...combine(family(rule), many).values()]).toEqual([rule === 'sum' ? 200_000 : 1]);
  },
);

test('a newest series that is NaN gives way to any other', () => {
  const series: readonly Series[] = [
    { labels: { reason: 'none' }, value: Number.NaN },
    { labels: { reason: 'one' }, value: 3 },
    { labels: { reason: 'other' }, value: Number.NaN },
  ];
  expect(combine(family('newest'), series)).toEqual(new Map([['{reason="one"}', 3]]));
});
