import { BLANK, BRACE_CLOSE, BRACE_OPEN, END, HASH, LINE_FEED, TAB } from './bytes.ts';
import type { Exposition, Labels, MetricType, Sample } from './exposition.ts';
import { FamilyList } from './family-list.ts';
import { notAPage } from './not-a-page.ts';
import { PageReader } from './page-reader.ts';
import { excerpt } from './place.ts';
import { readFloat } from './read-float.ts';
import { type LabelGrammar, NO_LABELS, readLabels } from './read-labels.ts';
import { unescapeTextHelp } from './unescape.ts';

/** Prometheus' lexer does not insist on the comma between labels, so pages without it are scraped every day. */
const TEXT_LABELS: LabelGrammar = { blanks: true, commaRequired: false };

const TYPES: ReadonlyMap<string, MetricType> = new Map([
  ['counter', 'counter'],
  ['gauge', 'gauge'],
  ['histogram', 'histogram'],
  ['summary', 'summary'],
  ['untyped', 'unknown'],
]);

const MAX_INT64 = 2n ** 63n - 1n;

/**
 * Prometheus text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * Accepts and refuses what Prometheus' own lexer does (model/textparse/promlex.l), except that blanks before a
 * name are allowed, as the format says, and that a raw line feed in a label value and a NUL outside quotes and
 * comments are refused: Prometheus takes the NUL for the end of the page and drops the rest without a word.
 *
 * @throws ExpositionError for a page that is not accepted whole
 */
export function parseText(bytes: Uint8Array): Exposition {
  const page = new PageReader(bytes);
  const families = new FamilyList();
  const samples: Sample[] = [];
  while (!page.ended) {
    page.skipBlanks();
    const byte = page.peek();
    if (byte === HASH) readComment(page, families);
    else if (byte !== LINE_FEED && byte !== END) samples.push(readSample(page));
    // Each of them stops at the line's end, which is the end of the page on an unfinished last line.
    page.at += 1;
  }
  return { families: families.all(), samples };
}

function readSample(page: PageReader): Sample {
  const name = page.readMetricName() ?? refuseStart(page);
  const labels = readTextLabels(page);
  const value = readTextValue(page, name);
  page.skipBlanks();
  if (atLineEnd(page)) return { name, labels, value };
  const timestampMs = readTimestamp(page);
  page.skipBlanks();
  if (!atLineEnd(page)) {
    page.fail(`expected the end of the line after the timestamp, found ${page.found(page.at)}`);
  }
  return { name, labels, value, timestampMs };
}

/** What may stand between a name and its value: the place does not move past blanks when there are no labels. */
export function readTextLabels(page: PageReader): Labels {
  const { at } = page;
  page.skipBlanks();
  if (page.peek() === BRACE_OPEN) return readLabels(page, TEXT_LABELS);
  page.at = at;
  return NO_LABELS;
}

/**
 * A value ends at a blank, at an opening brace or with the line. No blank need stand before it: `a-1` is `a` of
 * value -1, while `a-b` is a bad name.
 */
export function readTextValue(page: PageReader, name: string): number {
  const { bytes, at } = page;
  page.skipBlanks();
  let end = page.at;
  for (; end < bytes.length; end += 1) {
    const byte = bytes[end];
    if (byte === BLANK || byte === LINE_FEED || byte === TAB || byte === BRACE_OPEN) break;
  }
  const joined = end > at && page.at === at && bytes[at - 1] !== BRACE_CLOSE;
  if (joined && readFloat(bytes, at, end) === undefined) {
    page.fail(`expected a blank or { after metric name "${name}", found ${page.found(at)}`);
  }
  return page.readNumber(end, `a number as the value of "${name}"`);
}

function readTimestamp(page: PageReader): number {
  const from = page.at;
  let byte = page.peek();
  while (byte >= 0x30 && byte <= 0x39) {
    page.at += 1;
    byte = page.peek();
  }
  if (page.at === from || !(byte === BLANK || byte === TAB || atLineEnd(page))) {
    const found = page.found(from);
    page.fail(`expected a timestamp in whole milliseconds or the end of the line, found ${found}`, from);
  }
  const digits = page.decode(from, page.at, 'the timestamp');
  // No int64 has more digits: a longer run of them is never turned into a number.
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19 || BigInt(`0${significant}`) > MAX_INT64) {
    page.fail(`expected a timestamp in milliseconds, found ${page.found(from)}: it is too large`, from);
  }
  return Number(digits);
}

/** A `#` line: HELP and TYPE if the first word is exactly that, else a comment, whatever its bytes. */
function readComment(page: PageReader, families: FamilyList): void {
  const end = page.lineEnd();
  page.at += 1;
  if (page.peek() === BLANK || page.peek() === TAB) {
    page.skipBlanks();
    if (takeKeyword(page, 'HELP')) readHelp(page, families, end);
    else if (takeKeyword(page, 'TYPE')) readType(page, families, end);
  }
  page.at = end;
}

function readHelp(page: PageReader, families: FamilyList, end: number): void {
  const name = readFamilyName(page, 'HELP');
  const help = page.decode(textStart(page, end), end, `the help of "${name}"`);
  families.setHelp(name, unescapeTextHelp(help));
}

function readType(page: PageReader, families: FamilyList, end: number): void {
  const name = readFamilyName(page, 'TYPE');
  const at = textStart(page, end);
  const word = page.decode(at, end, `the type of "${name}"`);
  const type = TYPES.get(word);
  if (type === undefined) {
    const found = word === '' ? page.found(end) : excerpt(word);
    page.fail(`expected the type of "${name}" (${[...TYPES.keys()].join(', ')}), found ${found}`, at);
  }
  families.setType(name, type);
}

function readFamilyName(page: PageReader, keyword: string): string {
  return (
    page.readMetricName() ??
    page.fail(`expected a metric name after ${keyword}, found ${page.found(page.at)}`)
  );
}

/** Exactly one byte, whatever it is, parts name and text: more blanks belong to the text, as in Prometheus. */
function textStart(page: PageReader, end: number): number {
  return Math.min(page.at + 1, end);
}

/** The keyword counts only with a blank behind it: `# HELPER` and a bare `# TYPE` are comments. */
function takeKeyword(page: PageReader, keyword: string): boolean {
  const { bytes, at } = page;
  for (let index = 0; index < keyword.length; index += 1) {
    if (bytes[at + index] !== keyword.charCodeAt(index)) return false;
  }
  const next = bytes[at + keyword.length];
  if (next !== BLANK && next !== TAB) return false;
  page.at = at + keyword.length;
  page.skipBlanks();
  return true;
}

function atLineEnd(page: PageReader): boolean {
  const byte = page.peek();
  return byte === LINE_FEED || byte === END;
}

function refuseStart(page: PageReader): never {
  const other = notAPage(page.bytes);
  if (other !== undefined) page.fail(`expected a metrics page, found ${other}`);
  return page.fail(`expected a metric name, # or an empty line, found ${page.found(page.at)}`);
}
