import { BRACE_CLOSE, COMMA, EQUALS, QUOTE } from './bytes.ts';
import type { Labels } from './exposition.ts';
import type { PageReader } from './page-reader.ts';

/** How the two formats differ between braces. A comma after the last label is allowed in both. */
export interface LabelGrammar {
  /** Blanks and tabs may stand between the tokens. */
  readonly blanks: boolean;
  readonly commaRequired: boolean;
}

/** Shared by the many samples without labels. */
export const NO_LABELS: Labels = Object.freeze({});

/** Reads from the opening brace to behind the closing one. */
export function readLabels(page: PageReader, grammar: LabelGrammar): Labels {
  page.at += 1;
  const labels: Record<string, string> = {};
  if (grammar.blanks) page.skipBlanks();
  while (page.peek() !== BRACE_CLOSE) {
    readLabel(page, grammar, labels);
    if (grammar.blanks) page.skipBlanks();
    if (page.peek() === COMMA) {
      page.at += 1;
      if (grammar.blanks) page.skipBlanks();
    } else if (page.peek() !== BRACE_CLOSE && (grammar.commaRequired || !page.atLabelName())) {
      page.fail(`expected , or } after the label, found ${page.found(page.at)}`);
    }
  }
  page.at += 1;
  return labels;
}

function readLabel(page: PageReader, { blanks }: LabelGrammar, labels: Record<string, string>): void {
  const at = page.at;
  const name = page.readLabelName();
  if (name === undefined) page.fail(`expected a label name or }, found ${page.found(at)}`);
  if (blanks) page.skipBlanks();
  if (page.peek() !== EQUALS)
    page.fail(`expected = after label name "${name}", found ${page.found(page.at)}`);
  page.at += 1;
  if (blanks) page.skipBlanks();
  if (page.peek() !== QUOTE) {
    page.fail(`expected the value of label "${name}" in double quotes, found ${page.found(page.at)}`);
  }
  const value = page.readQuoted(`the value of label "${name}"`);
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
  if (name === '__name__')
    page.fail('label "__name__" is the metric name, which stands before the braces', at);
  // A plain assignment to `__proto__` is lost.
  Object.defineProperty(labels, name, { value, enumerable: true, configurable: true, writable: true });
}
