import fc from 'fast-check';
import { expect, test } from 'vitest';

import { labelValue, metricName, sample } from '../../test/kit/exposition-pages.ts';
import { ESCAPINGS } from './escape-name.ts';
import type { MetricType, Sample } from './exposition.ts';
import { parseExposition } from './parse.ts';
import { writeOpenMetrics } from './write-open-metrics.ts';
import { type WrittenFamily, writeText } from './write-text.ts';

const parse = (page: string) => parseExposition(new TextEncoder().encode(page), 'text-0.0.4');
const writableTypes = fc.constantFrom<MetricType>('counter', 'gauge', 'histogram', 'summary', 'unknown');
const text = labelValue.map((value) => value.toString());

test('what we write, we read back unchanged', () => {
  const family = fc.record(
    { name: metricName, type: writableTypes, help: text, samples: fc.array(sample, { maxLength: 4 }) },
    { requiredKeys: ['name', 'type', 'samples'] },
  );
  const families = fc.uniqueArray(family, { selector: ({ name }) => name, maxLength: 5 });
  fc.assert(
    fc.property(families, (written) => {
      const read = parse(writeText(written));
      // Vitest's `toEqual` tells -0 from 0 and takes NaN for itself.
      expect(read.samples).toEqual(written.flatMap(({ samples }) => samples));
      expect(read.families).toEqual(
        written.map(({ name, type, help }) => ({ name, type, ...(help !== undefined && { help }) })),
      );
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('whatever it is given, the writer writes a page that is accepted', () => {
  const anything = fc.string({ unit: fc.constantFrom('a', '0', ':', '-', '_', '.', ' ', 'é', '\n', '"') });
  const anySample = fc.record({
    name: anything,
    labels: fc.dictionary(fc.oneof(anything, fc.constant('__name__')), anything, { maxKeys: 5 }),
    value: fc.double(),
  });
  const type = fc.constantFrom<MetricType>('info', 'stateset', 'gaugehistogram', 'unknown', 'counter');
  const family = fc.record({
    name: anything,
    type,
    help: anything,
    samples: fc.array(anySample, { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(family, { maxLength: 4 }), (written) => {
      for (const escaping of ESCAPINGS) {
        const page = writeText(written, escaping);
        const read = parse(page);
        const count = written.reduce((sum, { samples }) => sum + samples.length, 0);
        expect(read.samples).toHaveLength(count);
        expect(page.match(/^# TYPE /gm)?.length ?? 0).toBe(read.families.length);
        const labelValues = written.flatMap(({ samples }) =>
          samples.flatMap(({ labels }) => Object.values(labels)),
        );
        expect(read.samples.flatMap(({ labels }) => Object.values(labels)).sort()).toEqual(
          labelValues.sort(),
        );
        const openMetrics = new TextEncoder().encode(writeOpenMetrics(written, escaping));
        expect(parseExposition(openMetrics, 'openmetrics-1.0.0').samples).toHaveLength(count);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('names in quotes come back as they were', () => {
  const anything = fc.string({ unit: 'grapheme', minLength: 1 });
  const anySample = fc.record({
    name: anything,
    labels: fc
      .uniqueArray(fc.tuple(anything, anything), { selector: ([name]) => name, maxLength: 3 })
      .map((pairs) => Object.fromEntries(pairs.filter(([name]) => name !== '__name__'))),
    value: fc.integer(),
  });
  fc.assert(
    fc.property(anySample, (sample) => {
      const family: WrittenFamily = { name: sample.name, type: 'gauge', samples: [sample] };
      const text = parse(writeText([family], 'allow-utf-8'));
      expect(text).toEqual({ families: [{ name: sample.name, type: 'gauge' }], samples: [sample] });
      const bytes = new TextEncoder().encode(writeOpenMetrics([family], 'allow-utf-8'));
      expect(parseExposition(bytes, 'openmetrics-1.0.0', { strict: true })).toEqual(text);
    }),
    { seed: 1, numRuns: 500 },
  );
});

/** Names that OpenMetrics gives to one family or another. */
const NAMES = ['x', 'x_total', 'x_count', 'x_count_total', 'x_sum', 'x_bucket', 'x_info', 'x_created', 'y'];
const ALL_TYPES = [
  'counter',
  'gauge',
  'histogram',
  'summary',
  'unknown',
  'info',
  'stateset',
  'gaugehistogram',
];

test('whatever families share a name, what we write as OpenMetrics keeps its rules and every series', () => {
  const clashing = fc.record({
    name: fc.constantFrom(...NAMES),
    type: fc.constantFrom(...(ALL_TYPES as MetricType[])),
    suffix: fc.constantFrom('', '', '_total', '_count', '_sum', '_bucket', '_info', '_created'),
    whole: fc.boolean(),
    value: fc.constantFrom(0, 1, 2, -1, Number.NaN),
  });
  let typed = 0;
  fc.assert(
    fc.property(fc.array(clashing, { maxLength: 6 }), (drafts) => {
      const families = drafts.map(({ name, type, suffix, whole, value }, index): WrittenFamily => {
        const labels = { i: `${index}` };
        const one: Sample = { name: name + suffix, labels, value };
        return { name, type, samples: whole ? wholeSamples(name, labels) : [one] };
      });
      const page = writeOpenMetrics(families);
      const read = parseExposition(new TextEncoder().encode(page), 'openmetrics-1.0.0', { strict: true });
      const all = families.flatMap(({ samples }) => samples);
      expect(sorted(read.samples)).toEqual(sorted(all));
      typed += page.match(/^# TYPE \S+ histogram$/gm)?.length ?? 0;
    }),
    { seed: 1, numRuns: 3000 },
  );
  expect(typed).toBeGreaterThan(200);
});

function wholeSamples(name: string, labels: Readonly<Record<string, string>>): readonly Sample[] {
  return [
    { name: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: 2 },
    { name: `${name}_sum`, labels, value: 3 },
    { name: `${name}_count`, labels, value: 2 },
  ];
}

function sorted(samples: readonly Sample[]): readonly string[] {
  return samples.map(({ name, labels, value }) => JSON.stringify([name, labels, String(value)])).sort();
}
