import fc from 'fast-check';
import { expect, test } from 'vitest';

import { labelValue, metricName, sample } from '../../test/kit/exposition-pages.ts';
import type { MetricType } from './exposition.ts';
import { parseExposition } from './parse.ts';
import { writeText } from './write-text.ts';

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
      const page = writeText(written);
      const read = parse(page);
      const count = written.reduce((sum, { samples }) => sum + samples.length, 0);
      expect(read.samples).toHaveLength(count);
      expect(page.match(/^# TYPE /gm)?.length ?? 0).toBe(read.families.length);
      const labelCount = written.flatMap(({ samples }) =>
        samples.flatMap(({ labels }) => Object.values(labels)),
      );
      expect(read.samples.flatMap(({ labels }) => Object.values(labels)).sort()).toEqual(labelCount.sort());
    }),
    { seed: 1, numRuns: 500 },
  );
});
