import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyBytes, metaLine, openMetricsLine, textLine } from '../../test/kit/exposition-pages.ts';
import { ExpositionError, type ExpositionFormat, type Sample } from './exposition.ts';
import { fastRead } from './fast-read.ts';
import { nameTable } from './name-table.ts';
import { parseExposition } from './parse.ts';

/** What the fast read must give; undefined where the full parser refuses the page. */
function fully(bytes: Uint8Array, format: ExpositionFormat, names: readonly string[]): Sample[] | undefined {
  try {
    return parseExposition(bytes, format)
      .samples.filter(({ name }) => names.includes(name))
      .map(({ name, labels, value }) => ({ name, labels, value }));
  } catch (error) {
    if (error instanceof ExpositionError) return undefined;
    throw error;
  }
}

test('on pages of sloppy exporters it reads what the full parser reads', () => {
  const names = ['wanted', 'wanted_too', 'absent'];
  const table = nameTable(names);
  let found = 0;
  const page = fc.array(fc.oneof({ weight: 3, arbitrary: textLine }, metaLine), { maxLength: 12 });
  fc.assert(
    fc.property(page, (lines) => {
      const bytes = new TextEncoder().encode(lines.join(''));
      const expected = fully(bytes, 'text-0.0.4', names);
      if (expected === undefined) return;
      found += expected.length;
      expect(fastRead(bytes, table)).toEqual(expected);
    }),
    { seed: 1, numRuns: 2000 },
  );
  expect(found).toBeGreaterThan(1000);
});

test('on OpenMetrics with timestamps and exemplars, too', () => {
  const names = ['wanted', 'wanted_too', 'absent'];
  const table = nameTable(names);
  const page = fc.array(fc.oneof(openMetricsLine, fc.constant('# HELP wanted wanted 1\n')), { maxLength: 8 });
  fc.assert(
    fc.property(page, (lines) => {
      const bytes = new TextEncoder().encode(`${lines.join('')}# EOF\n`);
      // Every one parses: a refusal here is an error of the generator or of the parser.
      expect(fully(bytes, 'openmetrics-1.0.0', names)).toEqual(fastRead(bytes, table));
    }),
    { seed: 1, numRuns: 1000 },
  );
});

test('on any bytes that parse, too', () => {
  const names = ['a', 'le', 'NaN'];
  const table = nameTable(names);
  let parsed = 0;
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const expected = fully(bytes, 'text-0.0.4', names);
      if (expected === undefined) return;
      parsed += expected.length;
      expect(fastRead(bytes, table)).toEqual(expected);
    }),
    { seed: 2, numRuns: 20_000 },
  );
  expect(parsed).toBeGreaterThan(100);
});

const CAPTURES = join(import.meta.dirname, '../../../shared/fixtures/engine-metrics');

test.skipIf(!present(CAPTURES))('on captured engine pages, for any part of their names', () => {
  const files = readdirSync(CAPTURES).filter((file) => file.endsWith('.prom'));
  expect(files.length).toBeGreaterThan(20);
  let samples = 0;
  for (const file of files) {
    const bytes = readFileSync(join(CAPTURES, file));
    const all = [...new Set(parseExposition(bytes, 'text-0.0.4').samples.map(({ name }) => name))];
    for (const names of [all, all.filter((_, index) => index % 3 === 0), all.slice(0, 1)]) {
      const expected = fully(bytes, 'text-0.0.4', names);
      expect(fastRead(bytes, nameTable(names)), file).toEqual(expected);
      samples += expected?.length ?? 0;
    }
  }
  expect(samples).toBeGreaterThan(5000);
});

function present(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
