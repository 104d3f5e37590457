import { sampleNames } from '../../engines/sample-names.ts';
import type { MetricType } from '../../exposition/exposition.ts';
import { familyResolver } from '../../exposition/family-of.ts';
import { COLUMNS, wrap } from '../wrap.ts';
import type { ReadPage } from './page-report.ts';
import { otherwiseText } from './refused-text.ts';

interface Row {
  readonly name: string;
  readonly type: MetricType;
  series: number;
  /** `=` read as a figure of vLLM's, `+` shown under its own name, blank: not looked at. */
  mark: '=' | '+' | ' ';
}

/** Every family of the page with its series, in the page's order, and what becomes of it. */
export function familiesText(page: ReadPage): string {
  if (page.otherwise !== undefined) return otherwiseText(page.otherwise);
  const rows = rowsOf(page);
  const series = page.exposition.samples.length;
  const nameWidth = COLUMNS - 24;
  const lines = rows.map(({ name, type, series: count, mark }) => {
    const left = `  ${mark} ${type.padEnd(9)} ${name.padEnd(nameWidth)}`;
    return `${left} ${(count === 0 ? 'none' : counted(count)).padStart(COLUMNS - left.length - 1)}\n`;
  });
  return `Families: ${counted(rows.length)}, with ${counted(series)} series\n${lines.join('')}${legend(rows)}`;
}

function rowsOf({ exposition, profile }: ReadPage): readonly Row[] {
  const { families, samples } = exposition;
  const read = new Set(sampleNames(profile, Object.keys(profile.families)));
  const own = new Set(profile.own.map(({ name }) => name));
  const rows = new Map<string, Row>(
    families.map(({ name, type }) => [name, { name, type, series: 0, mark: ' ' }]),
  );
  const resolve = familyResolver(families);
  for (const { name } of samples) {
    const { family, type } = resolve(name);
    const row = rows.get(family) ?? { name: family, type, series: 0, mark: ' ' };
    row.series += 1;
    if (read.has(name)) row.mark = '=';
    else if (row.mark === ' ' && (own.has(family) || own.has(name))) row.mark = '+';
    rows.set(family, row);
  }
  return [...rows.values()];
}

function legend(rows: readonly Row[]): string {
  const has = (mark: Row['mark']): boolean => rows.some((row) => row.mark === mark && row.series > 0);
  const parts = [
    ...(has('=') ? ["= read, and shown under vLLM's name"] : []),
    ...(has('+') ? ['+ shown under its own name'] : []),
    ...(has(' ') ? ['unmarked: not read'] : []),
  ];
  return parts.length === 0 ? '' : wrap('  (', `${parts.join('; ')})`);
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
