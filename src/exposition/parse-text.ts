import { BRACE_OPEN, HASH, LINE_FEED } from './bytes.ts';
import type { Exposition, Sample } from './exposition.ts';
import { FamilyList } from './family-list.ts';
import { notAPage } from './not-a-page.ts';
import type { PageLimits } from './page-limits.ts';
import { PageReader } from './page-reader.ts';
import type { LabelGrammar } from './read-labels.ts';
import { sampleName } from './sample-name.ts';
import { StrictRules } from './strict-rules.ts';
import { readComment } from './text-metadata.ts';
import { readTextLabels, readTextTimestamp, readTextValue } from './text-sample.ts';

/**
 * Prometheus' lexer does not insist on the comma between labels, so pages without it are scraped every day; and
 * Prometheus 3 reads names in quotes whatever the version.
 */
export const TEXT_LABELS: LabelGrammar = {
  blanks: true,
  commaRequired: false,
  trailingComma: true,
  quotedName: 'anywhere',
};
const STRICT_LABELS: LabelGrammar = { ...TEXT_LABELS, commaRequired: true, quotedName: 'first' };
/** Names in quotes came with 1.0.0. */
const STRICT_LABELS_0: LabelGrammar = { ...STRICT_LABELS, quotedName: 'nowhere' };

export interface TextOptions {
  readonly version: '0.0.4' | '1.0.0';
  readonly strict: boolean;
  readonly limits: PageLimits;
}

/** What the readers of the parts of a page share. */
export interface TextReading {
  readonly page: PageReader;
  readonly labels: LabelGrammar;
  readonly families: FamilyList;
  /** In strict mode only. */
  readonly rules: StrictRules | undefined;
}

/**
 * Prometheus text format: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * Accepts and refuses what Prometheus' own lexer does (model/textparse/promlex.l), except that blanks before a
 * name are allowed, as the format says, and that a raw line feed in a label value and a NUL outside quotes and
 * comments are refused: Prometheus takes the NUL for the end of the page and drops the rest without a word.
 *
 * Strict is the format document: narrower than Prometheus but for two things that Prometheus refuses, a time
 * before 1970 and blanks behind a type.
 *
 * @throws ExpositionError for a page that is not accepted whole
 */
export function parseText(bytes: Uint8Array, { version, strict, limits }: TextOptions): Exposition {
  const page = new PageReader(bytes, { limits, definedEscapesOnly: strict });
  const families = new FamilyList();
  const rules = strict
    ? new StrictRules({ openMetrics: false, fail: (message, at) => page.fail(message, at) })
    : undefined;
  const labels = !strict ? TEXT_LABELS : version === '0.0.4' ? STRICT_LABELS_0 : STRICT_LABELS;
  const reading = { page, labels, families, rules };
  const samples: Sample[] = [];
  while (!page.ended) {
    page.limits.line(page.at);
    page.skipBlanks();
    const byte = page.peek();
    if (byte === HASH) readComment(reading);
    else if (byte !== LINE_FEED && !page.ended) samples.push(readSample(reading, samples.length === 0));
    if (strict && page.ended)
      page.fail('expected a line feed at the end of the last line: the page may be cut off');
    // Each of them stops at the line's end, which is the end of the page on an unfinished last line.
    page.at += 1;
  }
  rules?.end();
  return { families: families.all(), samples };
}

function readSample({ page, labels: grammar, rules }: TextReading, first: boolean): Sample {
  const from = page.at;
  page.limits.sample(from);
  const bare = page.readMetricName();
  if (bare === undefined && (first || page.peek() !== BRACE_OPEN)) refuseStart(page);
  const set = readTextLabels(page, grammar);
  const name = sampleName(page, bare, set, from);
  const value = readTextValue(page, name);
  const timestampMs = readTextTimestamp(page, rules !== undefined);
  const { labels } = set;
  const sample: Sample =
    timestampMs === undefined ? { name, labels, value } : { name, labels, value, timestampMs };
  rules?.sample(sample, from);
  return sample;
}

/** Braces may begin a sample with its name in quotes, or be those of a JSON document. */
function refuseStart(page: PageReader): void {
  const other = notAPage(page.bytes);
  if (other !== undefined) page.fail(`expected a metrics page, found ${other}`);
  if (page.peek() === BRACE_OPEN) return;
  page.fail(`expected a metric name, # or an empty line, found ${page.found(page.at)}`);
}
