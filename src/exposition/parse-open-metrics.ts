import { BLANK, BRACE_OPEN, END, HASH, LINE_FEED } from './bytes.ts';
import type { Exemplar, Exposition, Sample } from './exposition.ts';
import { FamilyList } from './family-list.ts';
import { notAPage } from './not-a-page.ts';
import { readHashLine } from './open-metrics-metadata.ts';
import type { PageLimits } from './page-limits.ts';
import { PageReader } from './page-reader.ts';
import { type LabelGrammar, NO_LABELS, readLabels, readLabelsAnew } from './read-labels.ts';
import { sampleName } from './sample-name.ts';
import { StrictRules } from './strict-rules.ts';

const LABELS: LabelGrammar = {
  blanks: false,
  commaRequired: true,
  trailingComma: true,
  quotedName: 'anywhere',
};
const STRICT_LABELS: LabelGrammar = { ...LABELS, trailingComma: false, quotedName: 'first' };

/** Beyond it Prometheus' int64 of milliseconds would wrap round to some other time. */
const MAX_TIMESTAMP_MS = 2 ** 63;

export interface OpenMetricsOptions {
  readonly strict: boolean;
  readonly limits: PageLimits;
}

/** What the readers of the parts of a page share. */
export interface OpenMetricsReading {
  readonly page: PageReader;
  readonly labels: LabelGrammar;
  readonly families: FamilyList;
  /** In strict mode only. */
  readonly rules: StrictRules | undefined;
}

/**
 * OpenMetrics 1.0.0: https://prometheus.io/docs/specs/om/open_metrics_spec/
 *
 * Accepts and refuses what Prometheus does: like Prometheus 3, names in quotes, a comma after the last label and
 * an exemplar on any sample are accepted. Strict checks what the document says of values and of the order of
 * families, too.
 *
 * @throws ExpositionError for a page that is not accepted whole
 */
export function parseOpenMetrics(bytes: Uint8Array, { strict, limits }: OpenMetricsOptions): Exposition {
  const page = new PageReader(bytes, { limits });
  const families = new FamilyList();
  const rules = strict
    ? new StrictRules({ openMetrics: true, fail: (message, at) => page.fail(message, at) })
    : undefined;
  const reading = { page, labels: strict ? STRICT_LABELS : LABELS, families, rules };
  const samples: Sample[] = [];
  for (;;) {
    page.limits.line(page.at);
    const byte = page.peek();
    if (byte === END) {
      page.fail('expected # EOF as the last line, found the end of the page: it may be cut off');
    } else if (byte !== HASH) {
      samples.push(readSample(reading, samples.length === 0));
    } else if (readHashLine(reading)) {
      break;
    }
    expectLineFeed(page);
  }
  if (!page.ended) page.fail(`expected nothing after # EOF, found ${page.found(page.at)}`);
  rules?.end();
  return { families: families.all(), samples };
}

function readSample({ page, labels: grammar, rules }: OpenMetricsReading, first: boolean): Sample {
  const from = page.at;
  page.limits.sample(from);
  const bare = page.readMetricName();
  if (bare === undefined && (first || page.peek() !== BRACE_OPEN)) refuseStart(page);
  const set = page.peek() === BRACE_OPEN ? readLabels(page, grammar) : NO_LABELS;
  const name = sampleName(page, bare, set, from);
  const value = readToken(page, `a number as the value of "${name}"`);
  const timestampMs = page.peek() === BLANK && !atExemplar(page) ? readSeconds(page) : undefined;
  const exemplar = atExemplar(page) ? readExemplar(page, grammar) : undefined;
  const { labels } = set;
  const sample: Sample =
    timestampMs === undefined && exemplar === undefined
      ? { name, labels, value }
      : {
          name,
          labels,
          value,
          ...(timestampMs !== undefined && { timestampMs }),
          ...(exemplar !== undefined && { exemplar }),
        };
  rules?.sample(sample, from);
  return sample;
}

/** ` # {`: what else follows a value is a timestamp, or wrong. */
function atExemplar({ bytes, at }: PageReader): boolean {
  return (
    bytes[at] === BLANK && bytes[at + 1] === HASH && bytes[at + 2] === BLANK && bytes[at + 3] === BRACE_OPEN
  );
}

function readExemplar(page: PageReader, grammar: LabelGrammar): Exemplar {
  page.at += 3;
  const { at } = page;
  // Each has a trace id of its own: nothing is gained by remembering them.
  const { labels, name } = readLabelsAnew(page, grammar);
  if (name !== undefined) page.fail(`an exemplar has no metric name, found "${name}"`, at);
  const value = readToken(page, "a number as the exemplar's value");
  if (page.peek() !== BLANK) return { labels, value };
  return { labels, value, timestampMs: readSeconds(page) };
}

/** Milliseconds, of the page's seconds with fractions. */
function readSeconds(page: PageReader): number {
  const at = page.at + 1;
  if (page.bytes[at] === LINE_FEED) page.fail('expected the end of the line, found a blank before it');
  const seconds = readToken(page, 'a timestamp in seconds, an exemplar (# {...}) or the end of the line');
  const timestampMs = Math.trunc(seconds * 1000) + 0;
  if (!(Math.abs(timestampMs) < MAX_TIMESTAMP_MS)) {
    page.fail(`expected a timestamp in seconds, found ${page.found(at)}: it is no point in time`, at);
  }
  return timestampMs;
}

/** One blank, then a number up to the next blank. */
function readToken(page: PageReader, what: string): number {
  if (page.peek() !== BLANK) page.fail(`expected one blank and ${what}, found ${page.found(page.at)}`);
  page.at += 1;
  const { bytes } = page;
  let end = page.at;
  while (end < bytes.length && bytes[end] !== BLANK && bytes[end] !== LINE_FEED) end += 1;
  return page.readNumber(end, what);
}

function expectLineFeed(page: PageReader): void {
  if (page.peek() !== LINE_FEED) page.fail(`expected the end of the line, found ${page.found(page.at)}`);
  page.at += 1;
}

/** Braces may begin a sample with its name in quotes, or be those of a JSON document. */
function refuseStart(page: PageReader): void {
  const other = notAPage(page.bytes);
  if (other !== undefined) page.fail(`expected a metrics page, found ${other}`);
  if (page.peek() === BRACE_OPEN) return;
  page.fail(`expected a metric name or #, found ${page.found(page.at)}`);
}
