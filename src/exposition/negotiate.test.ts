import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import type { ExpositionFormat } from './exposition.ts';
import { forced, negotiate } from './negotiate.ts';

interface Case {
  readonly client: string;
  readonly accept: string;
  readonly expectFormat: ExpositionFormat;
}

const FIXTURE = join(import.meta.dirname, '../../test/fixtures/exposition/negotiation.json');
const { cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { cases: readonly Case[] };
const ALL: readonly ExpositionFormat[] = ['text-0.0.4', 'text-1.0.0', 'openmetrics-1.0.0'];
const NO_TEXT_1: readonly ExpositionFormat[] = ['text-0.0.4', 'openmetrics-1.0.0'];

test('the suite is whole', () => {
  expect(cases).toHaveLength(15);
});

describe.each(cases)('$client', ({ accept, expectFormat }) => {
  test('gets its format', () => {
    expect(negotiate(accept, ALL).format).toBe(expectFormat);
  });

  test('gets text 0.0.4 where its format is not offered', () => {
    const format = expectFormat === 'text-1.0.0' ? 'text-0.0.4' : expectFormat;
    expect(negotiate(accept, NO_TEXT_1).format).toBe(format);
    expect(negotiate(accept, ['text-0.0.4']).format).toBe('text-0.0.4');
  });
});

const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const TEXT_1 = 'text/plain; version=1.0.0; charset=utf-8';

test.each([
  [undefined, TEXT],
  ['text/plain', TEXT],
  ['TEXT/PLAIN; Version=0.0.4', TEXT],
  ['application/openmetrics-text', OPEN_METRICS],
  ['application/openmetrics-text;version=0.0.1', TEXT],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8',
    `${OPEN_METRICS}; escaping=allow-utf-8`,
  ],
  ['text/plain;version=0.0.4;escaping=dots', `${TEXT}; escaping=dots`],
  ['text/plain;version=0.0.4;escaping=x\r\ny', TEXT],
  ['text/plain;version=1.0.0', `${TEXT_1}; escaping=underscores`],
  ['text/plain;version=1.0.0;escaping=values;escaping=allow-utf-8', `${TEXT_1}; escaping=allow-utf-8`],
  ['text/plain;q=0, */*', OPEN_METRICS],
  ['text/plain;q=0', TEXT],
  ['application/openmetrics-text;q=, text/plain;q=0.9', OPEN_METRICS],
  ['application/openmetrics-text;q=nonsense', OPEN_METRICS],
  ['text/html;x="a,text/plain;version=1.0.0"', TEXT],
  [',;,=;"', TEXT],
])('%j is answered with %j', (accept, contentType) => {
  expect(negotiate(accept, ALL).contentType).toBe(contentType);
});

test.each([
  ['text/plain;version=0.0.4', 'underscores'],
  ['text/plain;version=1.0.0', 'underscores'],
  ['text/plain;version=1.0.0;escaping=nonsense', 'underscores'],
  ['text/plain;version=0.0.4;escaping=allow-utf-8', 'allow-utf-8'],
  ['application/openmetrics-text;version=1.0.0;escaping=values', 'values'],
  ['text/plain;escaping=dots;q=0.5,application/openmetrics-text;version=1.0.0;q=0.4', 'dots'],
  ['*/*;escaping=allow-utf-8', 'underscores'],
  [undefined, 'underscores'],
])('%j has its names written with %s', (accept, escaping) => {
  expect(negotiate(accept, ALL).escaping).toBe(escaping);
});

test('a format asked for in another way needs no Accept header', () => {
  expect(forced('openmetrics-1.0.0')).toEqual({
    format: 'openmetrics-1.0.0',
    escaping: 'underscores',
    contentType: OPEN_METRICS,
    named: true,
  });
});

test.each([
  ['text/plain', true],
  ['text/plain;version=9', true],
  ['text/html, application/openmetrics-text;q=0.1', true],
  ['application/json, text/plain;q=0', false],
  ['application/json', false],
  ['*/*', false],
  ['text/*', false],
  ['', false],
  [undefined, false],
])('%j names a metrics format: %j', (accept, named) => {
  expect(negotiate(accept, ALL).named).toBe(named);
});
