import { styleText } from 'node:util';

import type { Env } from '../config/expand-env.ts';
import { printableLines } from '../kit/printable.ts';

type Style = 'good' | 'bad' | 'caution' | 'head' | 'faint';

/** A text as it stands on a terminal; the same text where nobody looks. */
export type Paint = (style: Style, text: string) => string;

const STYLES = {
  good: 'green',
  bad: ['bold', 'red'],
  caution: 'yellow',
  head: 'bold',
  faint: 'dim',
} as const satisfies Readonly<Record<Style, unknown>>;

export const noPaint: Paint = (_, text) => text;

export const colours: Paint = (style, text) => {
  const format = STYLES[style];
  return styleText(typeof format === 'string' ? format : [...format], text, { validateStream: false });
};

/** Colours for a person at a terminal who did not ask for none (https://no-color.org). */
export function paintFor(isTerminal: boolean, env: Env): Paint {
  const unwanted = (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return isTerminal && !unwanted ? colours : noPaint;
}

const ESCAPE = '\u001b';
/** The sequences that `colours` makes, and no others: bold, dim, red, green, yellow, and back. */
const PAINTED = new RegExp(`(${ESCAPE}\\[(?:1|2|22|31|32|33|39)m)`, 'g');

/**
 * A text as it may go to a terminal: whatever an engine, a page or a file put into it, the terminal shows it and does
 * nothing else.
 */
export function harmless(text: string, paint: Paint): string {
  if (paint === noPaint) return printableLines(text);
  return text
    .split(PAINTED)
    .map((part, at) => (at % 2 === 1 ? part : printableLines(part)))
    .join('');
}
