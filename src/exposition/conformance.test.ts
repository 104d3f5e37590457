import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type Exposition, ExpositionError, type ExpositionFormat, type Sample } from './exposition.ts';
import { familyResolver } from './family-of.ts';
import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';
import { formatOf, parseExposition } from './parse.ts';

/** Formats whose cases run. Quoted names are not read yet, neither in OpenMetrics. */
const FORMATS: readonly ExpositionFormat[] = ['text-0.0.4', 'openmetrics-1.0.0'];
const LATER = new Set(['om-utf8-quoted-name.om']);

type Special = number | 'NaN' | '+Inf' | '-Inf';

interface ExpectedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: Special;
  readonly timestampMs: number | null;
  readonly type: string;
  readonly family: string;
  readonly exemplar?: {
    readonly labels: Readonly<Record<string, string>>;
    readonly value: Special;
    readonly timestampMs: number | null;
  };
}

interface Case {
  readonly file: string;
  readonly format: ExpositionFormat;
  readonly contentType: string;
  readonly expect: 'valid' | 'invalid' | 'either';
  readonly rule: string;
  readonly families?: readonly {
    readonly name: string;
    readonly type: string;
    readonly help: string | null;
    readonly unit: string | null;
  }[];
  readonly samples?: readonly ExpectedSample[];
  readonly error?: { readonly line?: number };
}

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/exposition');
const all = JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')).cases as readonly Case[];
const cases = all.filter(({ file, format }) => FORMATS.includes(format) && !LATER.has(file));

test('the suite is whole', () => {
  expect(all).toHaveLength(142);
  expect(cases).toHaveLength(137);
});

describe.each(FORMATS)('%s', (format) => {
  test.each(cases.filter((one) => one.format === format))('$file: $rule', (one) => {
    const bytes = readFileSync(join(FIXTURES, one.file));
    expect(formatOf(one.contentType)).toBe(format);
    const outcome = attempt(bytes, format);
    if (outcome instanceof ExpositionError) {
      expect(one.expect, outcome.message).not.toBe('valid');
      if (one.error?.line !== undefined) expect(outcome.line).toBe(one.error.line);
      expect(outcome.column).toBeGreaterThan(0);
      return;
    }
    expect(one.expect, 'it was accepted').not.toBe('invalid');
    const resolve = familyResolver(outcome.families);
    expect(outcome.samples.map((sample) => shown(sample, resolve(sample.name)))).toEqual(one.samples);
    expect(
      outcome.families.map(({ name, type, help = null, unit = null }) => ({ name, type, help, unit })),
    ).toEqual(one.families);
    const names = outcome.samples.map(({ name }) => name);
    expect(fastRead(bytes, nameTable(names))).toEqual(
      outcome.samples.map(({ name, labels, value }) => ({ name, labels, value })),
    );
    expect(fastRead(bytes, nameTable(['no_such_name']))).toEqual([]);
  });
});

function attempt(bytes: Uint8Array, format: ExpositionFormat): Exposition | ExpositionError {
  try {
    return parseExposition(bytes, format);
  } catch (error) {
    if (error instanceof ExpositionError) return error;
    throw error;
  }
}

/** A sample as `expected.json` writes it. */
function shown(
  { name, labels, value, timestampMs, exemplar }: Sample,
  { family, type }: { family: string; type: string },
): ExpectedSample {
  return {
    name,
    labels,
    value: special(value),
    timestampMs: timestampMs ?? null,
    type,
    family,
    ...(exemplar && {
      exemplar: {
        labels: exemplar.labels,
        value: special(exemplar.value),
        timestampMs: exemplar.timestampMs ?? null,
      },
    }),
  };
}

function special(value: number): Special {
  if (Number.isFinite(value)) return value;
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}
