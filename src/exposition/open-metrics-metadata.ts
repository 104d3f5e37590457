import { BLANK, LINE_FEED } from './bytes.ts';
import type { MetricType } from './exposition.ts';
import type { PageReader } from './page-reader.ts';
import type { OpenMetricsReading } from './parse-open-metrics.ts';
import { excerpt, lossy } from './place.ts';
import { readFamilyName } from './sample-name.ts';
import { unescapeText } from './unescape.ts';

const TYPES: readonly MetricType[] = [
  'counter',
  'gauge',
  'histogram',
  'gaugehistogram',
  'summary',
  'info',
  'stateset',
  'unknown',
];

/** `# HELP`, `# TYPE` or `# UNIT` without its line feed; true for `# EOF`, with it. */
export function readHashLine(reading: OpenMetricsReading): boolean {
  const { page } = reading;
  if (takeWord(page, '# EOF')) {
    if (page.peek() === LINE_FEED) page.at += 1;
    return true;
  }
  if (takeWord(page, '# HELP ')) readHelp(reading);
  else if (takeWord(page, '# TYPE ')) readType(reading);
  else if (takeWord(page, '# UNIT ')) readUnit(reading);
  else {
    const line = excerpt(lossy(page.bytes.subarray(page.at, page.lineEnd())));
    page.fail(`expected # HELP, # TYPE, # UNIT or # EOF with single blanks, found ${line}`);
  }
  return false;
}

function readHelp({ page, labels, families, rules }: OpenMetricsReading): void {
  const from = page.at;
  const name = readFamilyName(page, labels, 'HELP');
  const help = readRest(page, `the help of "${name}"`);
  rules?.metadata('HELP', name, from);
  families.setHelp(name, unescapeText(help));
}

function readType({ page, labels, families, rules }: OpenMetricsReading): void {
  const from = page.at;
  const name = readFamilyName(page, labels, 'TYPE');
  const at = page.at + 1;
  const word = readRest(page, `the type of "${name}"`);
  const type =
    TYPES.find((one) => one === word) ??
    page.fail(`expected the type of "${name}" (${TYPES.join(', ')}), found ${excerpt(word)}`, at);
  rules?.metadata('TYPE', name, from);
  rules?.type(name, type, from);
  families.setType(name, type);
}

function readUnit({ page, labels, families, rules }: OpenMetricsReading): void {
  const from = page.at;
  const name = readFamilyName(page, labels, 'UNIT');
  const at = page.at + 1;
  const unit = readRest(page, `the unit of "${name}"`);
  if (unit !== '' && !name.endsWith(`_${unit}`)) {
    page.fail(`expected a unit that "${name}" ends in after _, found ${excerpt(unit)}`, at);
  }
  rules?.metadata('UNIT', name, from);
  families.setUnit(name, unit);
}

/** One blank, then the rest of the line, unescaped by nobody yet. */
function readRest(page: PageReader, what: string): string {
  if (page.peek() !== BLANK) page.fail(`expected one blank and ${what}, found ${page.found(page.at)}`);
  const from = page.at + 1;
  page.at = page.lineEnd();
  return page.decode(from, page.at, what);
}

function takeWord(page: PageReader, word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    if (page.bytes[page.at + index] !== word.charCodeAt(index)) return false;
  }
  page.at += word.length;
  return true;
}
