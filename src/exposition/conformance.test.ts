import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { type Exposition, ExpositionError, type ExpositionFormat, type Sample } from './exposition.ts';
import { familyResolver } from './family-of.ts';
import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';
import { formatOf, type ParseOptions, parseExposition } from './parse.ts';

const FORMATS: readonly ExpositionFormat[] = ['text-0.0.4', 'text-1.0.0', 'openmetrics-1.0.0'];

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
  readonly strict: 'valid' | 'invalid';
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
const cases = JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')).cases as readonly Case[];

test('the suite is whole', () => {
  expect(cases).toHaveLength(142);
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

test.each(cases)('strictly: $file: $rule', (one) => {
  const outcome = attempt(readFileSync(join(FIXTURES, one.file)), one.format, { strict: true });
  if (outcome instanceof ExpositionError) {
    expect(one.strict, outcome.message).toBe('invalid');
    if (one.error?.line !== undefined) expect(outcome.line).toBe(one.error.line);
    return;
  }
  expect(one.strict, 'it was accepted').toBe('valid');
  if (one.samples === undefined) return;
  const resolve = familyResolver(outcome.families);
  expect(outcome.samples.map((sample) => shown(sample, resolve(sample.name)))).toEqual(one.samples);
});

function attempt(
  bytes: Uint8Array,
  format: ExpositionFormat,
  options?: ParseOptions,
): Exposition | ExpositionError {
  try {
    return parseExposition(bytes, format, options);
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
