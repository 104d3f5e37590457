import { BLANK, BRACE_OPEN, END, HASH, LINE_FEED } from './bytes.ts';
import type { Exemplar, Exposition, MetricType, Sample } from './exposition.ts';
import { FamilyList } from './family-list.ts';
import { notAPage } from './not-a-page.ts';
import { PageReader } from './page-reader.ts';
import { excerpt, lossy } from './place.ts';
import { type LabelGrammar, NO_LABELS, readLabels } from './read-labels.ts';
import { unescapeText } from './unescape.ts';

const OPEN_METRICS_LABELS: LabelGrammar = { blanks: false, commaRequired: true };

const TYPES: ReadonlySet<string> = new Set<MetricType>([
  'counter',
  'gauge',
  'histogram',
  'gaugehistogram',
  'summary',
  'info',
  'stateset',
  'unknown',
]);

/** Beyond it Prometheus' int64 of milliseconds would wrap round to some other time. */
const MAX_TIMESTAMP_MS = 2 ** 63;

/**
 * OpenMetrics 1.0.0: https://prometheus.io/docs/specs/om/open_metrics_spec/
 *
 * Accepts and refuses what Prometheus does: like Prometheus 3, a comma after the last label and an exemplar on
 * any sample are accepted; rules about values and order of families (strict mode) are not checked here.
 *
 * @throws ExpositionError for a page that is not accepted whole
 */
export function parseOpenMetrics(bytes: Uint8Array): Exposition {
  const page = new PageReader(bytes);
  const families = new FamilyList();
  const samples: Sample[] = [];
  for (;;) {
    const byte = page.peek();
    if (byte === HASH) {
      if (readHashLine(page, families)) break;
    } else if (byte === END) {
      page.fail('expected # EOF as the last line, found the end of the page: it may be cut off');
    } else {
      samples.push(readSample(page));
      expectLineFeed(page);
    }
  }
  if (!page.ended) page.fail(`expected nothing after # EOF, found ${page.found(page.at)}`);
  return { families: families.all(), samples };
}

function readSample(page: PageReader): Sample {
  const name = page.readMetricName() ?? refuseStart(page);
  const labels = page.peek() === BRACE_OPEN ? readLabels(page, OPEN_METRICS_LABELS) : NO_LABELS;
  const value = readToken(page, `a number as the value of "${name}"`);
  const timestampMs = page.peek() === BLANK && !atExemplar(page) ? readSeconds(page) : undefined;
  const exemplar = atExemplar(page) ? readExemplar(page) : undefined;
  if (timestampMs === undefined && exemplar === undefined) return { name, labels, value };
  return {
    name,
    labels,
    value,
    ...(timestampMs !== undefined && { timestampMs }),
    ...(exemplar !== undefined && { exemplar }),
  };
}

/** ` # {`: what else follows a value is a timestamp, or wrong. */
function atExemplar({ bytes, at }: PageReader): boolean {
  return (
    bytes[at] === BLANK && bytes[at + 1] === HASH && bytes[at + 2] === BLANK && bytes[at + 3] === BRACE_OPEN
  );
}

function readExemplar(page: PageReader): Exemplar {
  page.at += 3;
  const labels = readLabels(page, OPEN_METRICS_LABELS);
  const value = readToken(page, "a number as the exemplar's value");
  if (page.peek() !== BLANK) return { labels, value };
  return { labels, value, timestampMs: readSeconds(page) };
}

/** Milliseconds, of the page's seconds with fractions. */
function readSeconds(page: PageReader): number {
  const at = page.at + 1;
  if (page.bytes[at] === LINE_FEED) page.fail('expected the end of the line, found a blank before it');
  const seconds = readToken(page, 'a timestamp in seconds, an exemplar (# {...}) or the end of the line');
  const timestampMs = Math.trunc(seconds * 1000) + 0;
  if (!(Math.abs(timestampMs) < MAX_TIMESTAMP_MS)) {
    page.fail(`expected a timestamp in seconds, found ${page.found(at)}: it is no point in time`, at);
  }
  return timestampMs;
}

/** One blank, then a number up to the next blank. */
function readToken(page: PageReader, what: string): number {
  if (page.peek() !== BLANK) page.fail(`expected one blank and ${what}, found ${page.found(page.at)}`);
  page.at += 1;
  const { bytes } = page;
  let end = page.at;
  while (end < bytes.length && bytes[end] !== BLANK && bytes[end] !== LINE_FEED) end += 1;
  return page.readNumber(end, what);
}

/** `# HELP`, `# TYPE` or `# UNIT`; true for `# EOF`. */
function readHashLine(page: PageReader, families: FamilyList): boolean {
  if (takeWord(page, '# EOF')) {
    if (page.peek() === LINE_FEED) page.at += 1;
    return true;
  }
  if (takeWord(page, '# HELP ')) readHelp(page, families);
  else if (takeWord(page, '# TYPE ')) readType(page, families);
  else if (takeWord(page, '# UNIT ')) readUnit(page, families);
  else {
    const line = excerpt(lossy(page.bytes.subarray(page.at, page.lineEnd())));
    page.fail(`expected # HELP, # TYPE, # UNIT or # EOF with single blanks, found ${line}`);
  }
  expectLineFeed(page);
  return false;
}

function readHelp(page: PageReader, families: FamilyList): void {
  const name = readFamilyName(page, 'HELP');
  const help = readRest(page, `the help of "${name}"`);
  families.setHelp(name, unescapeText(help));
}

function readType(page: PageReader, families: FamilyList): void {
  const name = readFamilyName(page, 'TYPE');
  const at = page.at + 1;
  const word = readRest(page, `the type of "${name}"`);
  if (!isType(word)) {
    page.fail(`expected the type of "${name}" (${[...TYPES].join(', ')}), found ${excerpt(word)}`, at);
  }
  families.setType(name, word);
}

function readUnit(page: PageReader, families: FamilyList): void {
  const name = readFamilyName(page, 'UNIT');
  const at = page.at + 1;
  const unit = readRest(page, `the unit of "${name}"`);
  if (unit !== '' && !name.endsWith(`_${unit}`)) {
    page.fail(`expected a unit that "${name}" ends in after _, found ${excerpt(unit)}`, at);
  }
  families.setUnit(name, unit);
}

function readFamilyName(page: PageReader, keyword: string): string {
  return (
    page.readMetricName() ??
    page.fail(`expected a metric name after ${keyword}, found ${page.found(page.at)}`)
  );
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

function expectLineFeed(page: PageReader): void {
  if (page.peek() !== LINE_FEED) page.fail(`expected the end of the line, found ${page.found(page.at)}`);
  page.at += 1;
}

function isType(word: string): word is MetricType {
  return TYPES.has(word);
}

function refuseStart(page: PageReader): never {
  const other = notAPage(page.bytes);
  if (other !== undefined) page.fail(`expected a metrics page, found ${other}`);
  return page.fail(`expected a metric name or #, found ${page.found(page.at)}`);
}
