/** What a terminal of the usual width shows without breaking a line itself. */
export const COLUMNS = 80;

/** A blank at which no line is broken: between a number and what it counts. */
export const KEPT_BLANK = '\u00a0';

/**
 * A text over as many lines as it needs, broken at blanks; a word that is longer than a line stays whole. The first
 * line begins with `first`, the others with as many blanks, unless `rest` says otherwise. Ends in a line feed.
 */
export function wrap(first: string, text: string, rest: string = ' '.repeat(first.length)): string {
  const lines: string[] = [];
  let line = first;
  let isFresh = true;
  for (const word of text.split(/[ \t\n]+/)) {
    if (!isFresh && line.length + 1 + word.length > COLUMNS) {
      lines.push(line);
      line = rest;
      isFresh = true;
    }
    line += isFresh ? word : ` ${word}`;
    isFresh = false;
  }
  return `${[...lines, line].join('\n').replaceAll(KEPT_BLANK, ' ')}\n`;
}
