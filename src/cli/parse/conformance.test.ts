import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { profiles } from '../../engines/index.ts';
import { pageFormat } from './page-format.ts';
import { pageReport } from './page-report.ts';
import { reportJson } from './report-json.ts';
import { reportText } from './report-text.ts';

interface Sample {
  readonly name: string;
  readonly labels: unknown;
  readonly value: unknown;
  readonly timestampMs: number | null;
}

interface Case {
  readonly file: string;
  readonly contentType: string;
  readonly expect: 'valid' | 'invalid' | 'either';
  readonly rule: string;
  readonly families?: unknown;
  readonly samples?: readonly Sample[];
  readonly error?: { readonly line?: number };
}

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures/exposition');
const cases = JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')).cases as readonly Case[];

test('the suite is whole', () => {
  expect(cases).toHaveLength(142);
});

test.each(cases)('--json says of $file what the suite does: $rule', (one) => {
  const bytes = readFileSync(join(FIXTURES, one.file));
  const format = pageFormat(bytes, { name: one.file, typed: one.contentType, sent: undefined });
  const report = pageReport(bytes, format, profiles, undefined);
  const json = JSON.parse(reportJson(report));
  expect(Object.keys(json)).toEqual([
    'verdict',
    'error',
    'samples',
    'families',
    'kind',
    'signals',
    'missing',
  ]);
  if (one.expect !== 'either') expect(json.verdict, json.error?.message).toBe(one.expect);
  if (json.verdict === 'invalid') {
    if (one.error?.line !== undefined) expect(json.error.line).toBe(one.error.line);
    expect(json.error).toEqual({
      line: expect.any(Number),
      column: expect.any(Number),
      message: expect.any(String),
    });
    expect([json.samples, json.families, json.kind, json.signals, json.missing]).toEqual([
      [],
      [],
      null,
      {},
      [],
    ]);
  } else {
    expect(json.error).toBeNull();
    expect(json.samples).toEqual(
      one.samples?.map(({ name, labels, value, timestampMs }) => ({ name, labels, value, timestampMs })),
    );
    expect(json.families).toEqual(one.families);
  }
});

test.each(cases)('what a person is told of $file fits a terminal', ({ file, contentType }) => {
  const bytes = readFileSync(join(FIXTURES, file));
  const format = pageFormat(bytes, { name: file, typed: contentType, sent: undefined });
  const lines = reportText(file, pageReport(bytes, format, profiles, undefined)).split('\n');
  const words = lines.filter((line) => line.length > 80).map((line) => line.trim().split(' '));
  // Only one word that is longer than a line may stick out.
  expect(words.filter((line) => line.length > 1)).toEqual([]);
});
