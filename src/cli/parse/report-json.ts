import type { Combined } from '../../engines/combine.ts';
import type { PageReport } from './page-report.ts';

/**
 * A report as JSON text, one sample or family a line. Numbers that JSON lacks are the texts NaN, +Inf and -Inf, and
 * -0 stays -0. Of a page that is refused nothing is read, so everything but its error is empty.
 * `engines` stands in the report of a gateway's page alone.
 */
export function reportJson(report: PageReport): string {
  const read = report.verdict === 'valid' ? report : undefined;
  const engines = read?.engines ?? [];
  const fields: readonly (readonly [string, string])[] = [
    ['verdict', JSON.stringify(report.verdict)],
    ['error', JSON.stringify(report.verdict === 'invalid' ? report.error : null)],
    ['samples', list('[', ']', read?.exposition.samples.map(sampleJson) ?? [])],
    ['families', list('[', ']', read?.exposition.families.map(familyJson) ?? [])],
    ['kind', JSON.stringify(read?.profile.kind ?? null)],
    ...(engines.length === 0 ? [] : [enginesField(engines)]),
    ['signals', list('{', '}', Object.entries(read?.signals ?? {}).map(signalJson))],
    ['missing', JSON.stringify(read?.missing ?? [])],
  ];
  return `{\n${fields.map(([name, json]) => `  ${JSON.stringify(name)}: ${json}`).join(',\n')}\n}\n`;
}

type Read = Extract<PageReport, { readonly verdict: 'valid' }>;

function enginesField(engines: Read['engines']): [string, string] {
  return [
    'engines',
    list(
      '[',
      ']',
      engines.map((engine) => JSON.stringify(engine)),
    ),
  ];
}

function sampleJson({ name, labels, value, timestampMs }: Read['exposition']['samples'][number]): string {
  return object([
    ['name', JSON.stringify(name)],
    ['labels', JSON.stringify(labels)],
    ['value', numberJson(value)],
    ['timestampMs', timestampMs === undefined ? 'null' : numberJson(timestampMs)],
  ]);
}

function familyJson({ name, type, help, unit }: Read['exposition']['families'][number]): string {
  return JSON.stringify({ name, type, help: help ?? null, unit: unit ?? null });
}

function signalJson([name, value]: [string, Combined]): string {
  const json =
    typeof value === 'number'
      ? numberJson(value)
      : object([
          ['count', numberJson(value.count)],
          ['sum', value.sum === undefined ? 'null' : numberJson(value.sum)],
        ]);
  return `${JSON.stringify(name)}: ${json}`;
}

function object(fields: readonly (readonly [string, string])[]): string {
  return `{${fields.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

function list(open: string, close: string, items: readonly string[]): string {
  return items.length === 0 ? open + close : `${open}\n    ${items.join(',\n    ')}\n  ${close}`;
}

function numberJson(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (Number.isFinite(value)) return JSON.stringify(value);
  if (Number.isNaN(value)) return '"NaN"';
  return value > 0 ? '"+Inf"' : '"-Inf"';
}
