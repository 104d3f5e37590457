import { QUOTE } from './bytes.ts';
import type { PageReader } from './page-reader.ts';
import type { LabelGrammar, LabelSet } from './read-labels.ts';

/** The one name of a sample that began at `at`: in front of its braces, or in quotes within them. */
export function sampleName(page: PageReader, bare: string | undefined, set: LabelSet, at: number): string {
  if (set.name === undefined) {
    return bare ?? page.fail('expected a metric name in front of the braces or, in quotes, in them', at);
  }
  if (bare !== undefined) page.fail(`metric name "${bare}" has a second, "${set.name}", in its braces`, at);
  return set.name;
}

/** The name on a metadata line, bare or in quotes. */
export function readFamilyName(page: PageReader, { quotedName }: LabelGrammar, keyword: string): string {
  const name = page.peek() === QUOTE && quotedName !== 'nowhere' ? page.readQuoted() : page.readMetricName();
  if (name === undefined || name === '') {
    return page.fail(`expected a metric name after ${keyword}, found ${page.found(page.at)}`);
  }
  return name;
}
