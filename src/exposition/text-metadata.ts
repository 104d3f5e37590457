import { BLANK, TAB } from './bytes.ts';
import type { MetricType } from './exposition.ts';
import type { PageReader } from './page-reader.ts';
import type { TextReading } from './parse-text.ts';
import { excerpt } from './place.ts';
import { readFamilyName } from './sample-name.ts';
import { unescapeTextHelp } from './unescape.ts';

const TYPES: ReadonlyMap<string, MetricType> = new Map([
  ['counter', 'counter'],
  ['gauge', 'gauge'],
  ['histogram', 'histogram'],
  ['summary', 'summary'],
  ['untyped', 'unknown'],
]);

/** A `#` line: HELP and TYPE if the first word is exactly that, else a comment, whatever its bytes. */
export function readComment(reading: TextReading): void {
  const { page } = reading;
  const end = page.lineEnd();
  page.at += 1;
  if (page.peek() === BLANK || page.peek() === TAB) {
    page.skipBlanks();
    if (takeKeyword(page, 'HELP')) readHelp(reading, end);
    else if (takeKeyword(page, 'TYPE')) readType(reading, end);
  }
  page.at = end;
}

function readHelp({ page, labels, families, rules }: TextReading, end: number): void {
  const from = page.at;
  const name = readFamilyName(page, labels, 'HELP');
  const start = textStart(page, end);
  const what = `the help of "${name}"`;
  const help = page.decode(start, end, what);
  page.checkEscapes(start, end, '\\n', what);
  rules?.metadata('HELP', name, from);
  families.setHelp(name, unescapeTextHelp(help));
}

function readType({ page, labels, families, rules }: TextReading, end: number): void {
  const from = page.at;
  const name = readFamilyName(page, labels, 'TYPE');
  const at = textStart(page, end);
  const text = page.decode(at, end, `the type of "${name}"`);
  // Blanks behind the word are legal by the format; Prometheus refuses them.
  const word = rules === undefined ? text : text.replace(/[ \t]+$/, '');
  const type = TYPES.get(word) ?? refuseType(page, name, word, at);
  rules?.metadata('TYPE', name, from);
  rules?.type(name, type, from);
  families.setType(name, type);
}

function refuseType(page: PageReader, name: string, word: string, at: number): never {
  const found = word === '' ? page.found(at) : excerpt(word);
  return page.fail(`expected the type of "${name}" (${[...TYPES.keys()].join(', ')}), found ${found}`, at);
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
