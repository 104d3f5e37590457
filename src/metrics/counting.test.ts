import { expect, test } from 'vitest';
import type { CatalogFamily } from '../catalog/family.ts';
import { writeText } from '../exposition/write-text.ts';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';

const counted: CatalogFamily = {
  name: 'penstock:x_total',
  type: 'counter',
  unit: 'events',
  labels: ['code', 'model_name'],
  help: 'Test.',
  ranks: 'sum',
};
const measured: CatalogFamily = {
  name: 'penstock:x_seconds',
  type: 'histogram',
  unit: 'seconds',
  labels: ['engine_name'],
  help: 'Test.',
  ranks: 'sum',
  bounds: [0.1, 1, 10],
};

test('a counter adds up by label set; a label that is not given is empty', () => {
  const counter = new Counter(counted);
  counter.add({ code: 'a', model_name: 'm' });
  counter.add({ code: 'a', model_name: 'm' }, 2);
  counter.add({ code: 'a' });
  expect(counter.entries()).toEqual([
    { labels: { code: 'a', model_name: 'm' }, value: 3 },
    { labels: { code: 'a', model_name: '' }, value: 1 },
  ]);
});

test('a counter without labels is there at 0 from the start', () => {
  expect(writeText([new Counter({ ...counted, labels: [] }).written()])).toBe(
    '# HELP penstock:x_total Test.\n# TYPE penstock:x_total counter\npenstock:x_total 0\n',
  );
});

test('label sets beyond the bound go into one, and those known go on', () => {
  const counter = new Counter(counted, 2);
  for (const model of ['a', 'b', 'c', 'd', 'a']) counter.add({ code: 'x', model_name: model });
  expect(counter.entries()).toEqual([
    { labels: { code: 'x', model_name: 'a' }, value: 2 },
    { labels: { code: 'x', model_name: 'b' }, value: 1 },
    { labels: { code: 'other', model_name: 'other' }, value: 2 },
  ]);
});

test('values that would read the same when joined are two series', () => {
  const counter = new Counter(counted);
  counter.add({ code: 'a","b', model_name: 'c' });
  counter.add({ code: 'a', model_name: 'b","c' });
  expect(counter.entries().length).toBe(2);
});

test('a long label value is cut', () => {
  const counter = new Counter(counted);
  counter.add({ model_name: 'm'.repeat(10_000) });
  expect(counter.entries()[0]?.labels['model_name']?.length).toBe(256);
});

test('a histogram counts cumulatively, a bound belongs to its bucket, and bounds are spelled as Python does', () => {
  const histogram = new Histogram(measured);
  for (const value of [0.05, 0.1, 0.5, 1, 99]) histogram.observe({ engine_name: 'e' }, value);
  expect(writeText([histogram.written()])).toBe(
    [
      '# HELP penstock:x_seconds Test.',
      '# TYPE penstock:x_seconds histogram',
      'penstock:x_seconds_bucket{engine_name="e",le="0.1"} 2',
      'penstock:x_seconds_bucket{engine_name="e",le="1.0"} 4',
      'penstock:x_seconds_bucket{engine_name="e",le="10.0"} 4',
      'penstock:x_seconds_bucket{engine_name="e",le="+Inf"} 5',
      'penstock:x_seconds_sum{engine_name="e"} 100.65',
      'penstock:x_seconds_count{engine_name="e"} 5',
      '',
    ].join('\n'),
  );
});
