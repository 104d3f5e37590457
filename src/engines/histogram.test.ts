import { expect, test } from 'vitest';
import { histogramOf } from './histogram.ts';

const INFINITY = Number.POSITIVE_INFINITY;

test('buckets are put in order', () => {
  const buckets = [
    { le: INFINITY, count: 3 },
    { le: 1, count: 1 },
  ];
  expect(histogramOf({ buckets, sum: 4, count: 3 })).toEqual({
    buckets: [
      { le: 1, count: 1 },
      { le: INFINITY, count: 3 },
    ],
    sum: 4,
    count: 3,
  });
});

test('a page that leaves out +Inf has it from the count, and the other way round', () => {
  const whole = { buckets: [{ le: INFINITY, count: 2 }], sum: undefined, count: 2 };
  expect(histogramOf({ buckets: [], sum: undefined, count: 2 })).toEqual(whole);
  expect(histogramOf({ buckets: [{ le: INFINITY, count: 2 }], sum: undefined, count: undefined })).toEqual(
    whole,
  );
});

test('without count and +Inf nobody knows how many there were', () => {
  expect(histogramOf({ buckets: [{ le: 1, count: 5 }], sum: 3, count: undefined })).toBeUndefined();
});
