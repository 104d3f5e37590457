import { type Escaping, escapeMetricName } from './escape-name.ts';
import type { MetricType, Sample } from './exposition.ts';
import { escapeHelp, familyName, sampleLines } from './write-lines.ts';

export interface WrittenFamily {
  /** The name of the HELP and TYPE lines. Prometheus knows a counter by its whole name, `_total` included. */
  readonly name: string;
  readonly type: MetricType;
  readonly help?: string;
  /** For OpenMetrics, which states it of a family whose name ends in it. */
  readonly unit?: string;
  /** Names as they are to stand on the page. Timestamps and exemplars are not written. */
  readonly samples: readonly Sample[];
}

/** The text formats know five types; a page with another word is refused whole. */
const TEXT_TYPES: Readonly<Record<MetricType, string>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  unknown: 'untyped',
  info: 'gauge',
  stateset: 'gauge',
  // Its `_gsum` and `_gcount` have no place in a text histogram.
  gaugehistogram: 'untyped',
};

interface Group {
  readonly type: MetricType;
  help: string | undefined;
  readonly parts: (readonly Sample[])[];
}

/** A page in Prometheus text 0.0.4 or 1.0.0: `writeTextChunks` in one string. */
export function writeText(families: readonly WrittenFamily[], escaping: Escaping = 'underscores'): string {
  return [...writeTextChunks(families, escaping)].join('');
}

/**
 * A page in Prometheus text, one family a chunk, so that a large page can be sent while it is written. 0.0.4 and
 * 1.0.0 differ only in the names in quotes that a client allows by asking for `allow-utf-8`.
 *
 * Families of one name are written together, under the type of the first and the first help. Nothing is written
 * that Prometheus refuses: a name beyond the classic ones is escaped.
 */
export function* writeTextChunks(
  families: Iterable<WrittenFamily>,
  escaping: Escaping = 'underscores',
): Iterable<string> {
  for (const [name, { type, help, parts }] of groupByName(families, escaping)) {
    const head = textHead({ name, type, ...(help === undefined ? {} : { help }) }, escaping);
    yield head + parts.map((samples) => sampleLines(samples, escaping)).join('');
  }
}

/** The metadata lines of a family. */
export function textHead(
  { name, type, help }: Omit<WrittenFamily, 'samples'>,
  escaping: Escaping = 'underscores',
): string {
  const written = familyName(name, escaping);
  const helpLine = help === undefined ? '' : `# HELP ${written} ${escapeHelp(help)}\n`;
  return `${helpLine}# TYPE ${written} ${TEXT_TYPES[type]}\n`;
}

function groupByName(families: Iterable<WrittenFamily>, escaping: Escaping): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { name, type, help, samples } of families) {
    const written = escapeMetricName(name, escaping);
    const group = groups.get(written) ?? { type, help, parts: [] };
    group.help ??= help;
    group.parts.push(samples);
    groups.set(written, group);
  }
  return groups;
}
