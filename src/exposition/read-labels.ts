import { BRACE_CLOSE, COMMA, EQUALS, QUOTE } from './bytes.ts';
import type { Labels } from './exposition.ts';
import type { PageReader } from './page-reader.ts';

/** How the formats, and their strict forms, differ between braces. */
export interface LabelGrammar {
  /** Blanks and tabs may stand between the tokens. */
  readonly blanks: boolean;
  readonly commaRequired: boolean;
  /** A comma may stand behind the last label. */
  readonly trailingComma: boolean;
  /** Where a metric name in quotes may stand: Prometheus 3 takes it anywhere, the format wants it first. */
  readonly quotedName: 'anywhere' | 'first' | 'nowhere';
}

/** What stands between braces. */
export interface LabelSet {
  readonly labels: Labels;
  /** The metric name, where it stands in the braces and in quotes, as names beyond the classic ones must. */
  readonly name: string | undefined;
}

export const NO_LABELS: LabelSet = Object.freeze({ labels: Object.freeze({}), name: undefined });

/** Reads from the opening brace to behind the closing one. Equal braces of one page share what is returned. */
export function readLabels(page: PageReader, grammar: LabelGrammar): LabelSet {
  const { labelSets, at } = page;
  const expected = labelSets.expected(at);
  if (expected !== undefined) {
    page.at += expected.length;
    return expected.value;
  }
  const end = likelyEnd(page);
  const known = labelSets.find(at, end);
  if (known !== undefined) {
    page.at = end;
    return known.value;
  }
  const set = readLabelsAnew(page, grammar);
  labelSets.add(at, page.at, set);
  return set;
}

/**
 * Behind the last closing brace of the line: nearly always the one that closes these labels. If it is another, what
 * stands up to there is no label set that was read before.
 */
function likelyEnd({ bytes, runs, at }: PageReader): number {
  let end = runs.lineFeed(at);
  while (end > at && bytes[end - 1] !== BRACE_CLOSE) end -= 1;
  return end;
}

/** For braces that hardly come twice, such as an exemplar's. */
export function readLabelsAnew(page: PageReader, grammar: LabelGrammar): LabelSet {
  const { blanks, commaRequired, trailingComma } = grammar;
  const labels: Record<string, string> = {};
  let name: string | undefined;
  page.at += 1;
  if (blanks) page.skipBlanks();
  for (let first = true; page.peek() !== BRACE_CLOSE; first = false) {
    const at = page.at;
    const quoted = page.peek() === QUOTE;
    const word = quoted ? readQuotedName(page, grammar) : readBareName(page);
    if (blanks) page.skipBlanks();
    if (quoted && (page.peek() === COMMA || page.peek() === BRACE_CLOSE)) {
      if (name !== undefined) page.fail('a sample has one metric name, and this is a second', at);
      if (!first && grammar.quotedName === 'first')
        page.fail('the metric name stands first in the braces', at);
      name = word;
    } else {
      readValue(page, grammar, labels, word, at);
      if (blanks) page.skipBlanks();
    }
    if (page.peek() === COMMA) {
      page.at += 1;
      if (blanks) page.skipBlanks();
      if (!trailingComma && page.peek() === BRACE_CLOSE)
        page.fail('expected a label after the comma, found "}"');
    } else if (page.peek() !== BRACE_CLOSE && (commaRequired || !atName(page))) {
      page.fail(`expected , or } after the label, found ${page.found(page.at)}`);
    }
  }
  page.at += 1;
  return { labels, name };
}

function atName(page: PageReader): boolean {
  return page.peek() === QUOTE || page.atLabelName();
}

function readBareName(page: PageReader): string {
  return page.readLabelName() ?? page.fail(`expected a label name or }, found ${page.found(page.at)}`);
}

function readQuotedName(page: PageReader, { quotedName }: LabelGrammar): string {
  const { at } = page;
  if (quotedName === 'nowhere') page.fail('a name in quotes, which this version of the format does not have');
  const name = page.readQuoted();
  return name === '' ? page.fail('a name must not be empty', at) : name;
}

function readValue(
  page: PageReader,
  { blanks }: LabelGrammar,
  labels: Record<string, string>,
  name: string,
  at: number,
): void {
  if (page.peek() !== EQUALS)
    page.fail(`expected = after label name "${name}", found ${page.found(page.at)}`);
  page.at += 1;
  if (blanks) page.skipBlanks();
  if (page.peek() !== QUOTE) {
    page.fail(`expected the value of label "${name}" in double quotes, found ${page.found(page.at)}`);
  }
  const value = page.readQuoted(name);
  // The plain look-up first: `hasOwn` alone costs as much as reading the label.
  if (labels[name] !== undefined && Object.hasOwn(labels, name)) {
    page.fail(`label "${name}" stands twice: a label name stands once in a series`, at);
  }
  if (name.startsWith('__')) defineReserved(page, labels, name, value, at);
  else labels[name] = value;
}

function defineReserved(
  page: PageReader,
  labels: Record<string, string>,
  name: string,
  value: string,
  at: number,
): void {
  if (name === '__name__') page.fail('label "__name__" is the metric name, which is no label here', at);
  // A plain assignment to `__proto__` is lost.
  Object.defineProperty(labels, name, { value, enumerable: true, configurable: true, writable: true });
}
