import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

import type { ExpositionFormat } from '../../src/exposition/exposition.ts';
import type { Random } from '../../src/kit/random.ts';
import { anyBytes, metaLine, openMetricsLine, textLine } from './exposition-pages.ts';

export interface MadePage {
  /** How it came to be. */
  readonly origin: string;
  readonly bytes: Uint8Array;
  readonly format: ExpositionFormat;
}

const FIXTURES = join(import.meta.dirname, '../fixtures/engine-metrics');
/** Large pages say no more about a parser than small ones, and a Prometheus has to keep them all. */
const MAX_BYTES = 25_000;

/**
 * Pages of sloppy exporters, of OpenMetrics, and of token soup. A quarter of the first two have what Prometheus 2.42
 * always refuses though the formats do not: blanks before a name, exemplars on gauges.
 */
export function generatedPages(count: number, seed: number): readonly MadePage[] {
  const odd = fc.nat(3).map((draw) => draw === 0);
  const text = fc
    .tuple(odd, fc.array(fc.oneof({ weight: 3, arbitrary: textLine }, metaLine), { maxLength: 12 }))
    .map(([kept, lines]) => {
      const page = lines.map((line) => (kept ? line : line.replace(/^[ \t]+/, ''))).join('');
      return made('lines', 'text-0.0.4', page);
    });
  const openMetrics = fc.tuple(odd, fc.array(openMetricsLine, { maxLength: 12 })).map(([kept, lines]) => {
    const page = lines.map((line) => (kept ? line : line.replace(/^[^{ ]+/, '$&_total'))).join('');
    return made('OpenMetrics lines', 'openmetrics-1.0.0', `${page}# EOF\n`);
  });
  const soup = fc
    .tuple(anyBytes, fc.constantFrom<ExpositionFormat>('text-0.0.4', 'openmetrics-1.0.0'))
    .map(([bytes, format]): MadePage => ({ origin: 'token soup', format, bytes }));
  return fc.sample(fc.oneof(text, openMetrics, soup), { seed, numRuns: count });
}

/** Engines' pages with one to three things done to each: a byte, a line, the end. */
export function mutatedPages(count: number, random: Random): readonly MadePage[] {
  const pages = readdirSync(FIXTURES)
    .filter((file) => file.endsWith('.prom'))
    .map((file) => ({ file, text: readFileSync(join(FIXTURES, file), 'latin1') }))
    .filter(({ text }) => text.length <= MAX_BYTES);
  return Array.from({ length: count }, (_, index) => {
    const { file, text } = pages[index % pages.length] ?? { file: '', text: '' };
    let mutated = text;
    for (let step = Math.floor(random() * 3); step >= 0; step -= 1) mutated = mutate(mutated, random);
    const bytes = new Uint8Array(Buffer.from(mutated, 'latin1'));
    return { origin: file, format: 'text-0.0.4', bytes };
  });
}

const INSERTED = [
  '\t',
  ' ',
  '\n',
  '"',
  '\\',
  '{',
  '}',
  ',',
  '=',
  '#',
  '1',
  'e',
  '-',
  '.',
  '\0',
  '\r',
  'é',
  '\xff',
];

function mutate(page: string, random: Random): string {
  const at = Math.floor(random() * page.length);
  const lines = page.split(/^/m);
  const line = Math.floor(random() * lines.length);
  const inserted = INSERTED[Math.floor(random() * INSERTED.length)] ?? '';
  switch (Math.floor(random() * 6)) {
    case 0:
      return page.slice(0, at);
    case 1:
      return page.slice(0, at) + inserted + page.slice(at);
    case 2:
      return page.slice(0, at) + inserted + page.slice(at + 1);
    case 3:
      return page.slice(0, at) + page.slice(at + 1);
    case 4:
      return lines.toSpliced(line, 1).join('');
    default:
      return lines.toSpliced(line, 0, lines[(line * 7) % lines.length] ?? '').join('');
  }
}

function made(origin: string, format: ExpositionFormat, page: string): MadePage {
  return { origin, format, bytes: new TextEncoder().encode(page) };
}
