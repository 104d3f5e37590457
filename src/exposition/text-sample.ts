import { BLANK, BRACE_CLOSE, BRACE_OPEN, END, LINE_FEED, MINUS, TAB } from './bytes.ts';
import type { PageReader } from './page-reader.ts';
import { readFloat } from './read-float.ts';
import { type LabelGrammar, type LabelSet, NO_LABELS, readLabels } from './read-labels.ts';

const MAX_INT64 = 2n ** 63n - 1n;

/** What may stand between a name and its value: the place does not move past blanks when there are no labels. */
export function readTextLabels(page: PageReader, grammar: LabelGrammar): LabelSet {
  const { at } = page;
  page.skipBlanks();
  if (page.peek() === BRACE_OPEN) return readLabels(page, grammar);
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

/** Undefined where the line ends without one. A time before 1970 is legal by the format; Prometheus refuses it. */
export function readTextTimestamp(page: PageReader, signed: boolean): number | undefined {
  page.skipBlanks();
  if (atLineEnd(page)) return undefined;
  const from = page.at;
  const negative = signed && page.peek() === MINUS;
  if (negative) page.at += 1;
  const digitsFrom = page.at;
  let byte = page.peek();
  while (byte >= 0x30 && byte <= 0x39) {
    page.at += 1;
    byte = page.peek();
  }
  if (page.at === digitsFrom || !(byte === BLANK || byte === TAB || atLineEnd(page))) {
    const found = page.found(from);
    page.fail(`expected a timestamp in whole milliseconds or the end of the line, found ${found}`, from);
  }
  const digits = page.decode(digitsFrom, page.at, 'the timestamp');
  // No int64 has more digits: a longer run of them is never turned into a number.
  const significant = digits.replace(/^0+/, '');
  if (significant.length > 19 || BigInt(`0${significant}`) > MAX_INT64) {
    page.fail(`expected a timestamp in milliseconds, found ${page.found(from)}: it is too large`, from);
  }
  page.skipBlanks();
  if (!atLineEnd(page)) {
    page.fail(`expected the end of the line after the timestamp, found ${page.found(page.at)}`);
  }
  return negative ? 0 - Number(digits) : Number(digits);
}

function atLineEnd(page: PageReader): boolean {
  const byte = page.peek();
  return byte === LINE_FEED || byte === END;
}
