import type { Sample } from '../../src/exposition/exposition.ts';
import { parseExposition } from '../../src/exposition/parse.ts';

/** Samples of a page written in a test. */
export function samplesOf(...lines: readonly string[]): readonly Sample[] {
  return parseExposition(new TextEncoder().encode(`${lines.join('\n')}\n`), 'text-0.0.4').samples;
}
