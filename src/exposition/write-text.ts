import type { Labels, MetricType, Sample } from './exposition.ts';
import { formatValue } from './format-number.ts';

export interface WrittenFamily {
  /** The name of the HELP and TYPE lines. Prometheus knows a counter by its whole name, `_total` included. */
  readonly name: string;
  readonly type: MetricType;
  readonly help?: string;
  /** Names as they are to stand on the page. Timestamps and exemplars are not written. */
  readonly samples: readonly Sample[];
}

/** Text 0.0.4 knows five types; a page with another word is refused whole. */
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

/** A page in Prometheus text 0.0.4: `writeTextChunks` in one string. */
export function writeText(families: readonly WrittenFamily[]): string {
  return [...writeTextChunks(families)].join('');
}

/**
 * A page in Prometheus text 0.0.4, one family a chunk, so that a large page can be sent while it is written.
 *
 * Families of one name are written together, under the type of the first and the first help. Nothing is written
 * that Prometheus refuses: a character that a name must not have becomes `_`.
 */
export function* writeTextChunks(families: Iterable<WrittenFamily>): Iterable<string> {
  for (const [name, { type, help, parts }] of groupByName(families)) {
    yield textHead({ name, type, ...(help === undefined ? {} : { help }) }) + parts.map(textLines).join('');
  }
}

/** The metadata lines of a family. */
export function textHead({ name, type, help }: Omit<WrittenFamily, 'samples'>): string {
  const written = metricName(name);
  const helpLine = help === undefined ? '' : `# HELP ${written} ${escapeHelp(help)}\n`;
  return `${helpLine}# TYPE ${written} ${TEXT_TYPES[type]}\n`;
}

/** A line a sample. */
export function textLines(samples: readonly Sample[]): string {
  let lines = '';
  for (const { name, labels, value } of samples) {
    lines += `${metricName(name)}${labelSet(labels)} ${formatValue(value)}\n`;
  }
  return lines;
}

function groupByName(families: Iterable<WrittenFamily>): Map<string, Group> {
  const groups = new Map<string, Group>();
  for (const { name, type, help, samples } of families) {
    const written = metricName(name);
    const group = groups.get(written) ?? { type, help, parts: [] };
    group.help ??= help;
    group.parts.push(samples);
    groups.set(written, group);
  }
  return groups;
}

function labelSet(labels: Labels): string {
  const names = Object.keys(labels);
  if (names.length === 0) return '';
  const written = names.every(isPlainLabelName) ? names : distinctLabelNames(names);
  return `{${names.map((name, index) => `${written[index]}="${escapeLabel(labels[name] ?? '')}"`).join(',')}}`;
}

/** Two names may become one, and a label that stands twice fails the whole scrape; so does `__name__`. */
function distinctLabelNames(names: readonly string[]): string[] {
  const taken = new Set(['__name__', ...names.filter(isPlainLabelName)]);
  return names.map((name) => {
    if (isPlainLabelName(name)) return name;
    let free = legalName(name, /[^a-zA-Z0-9_]/g);
    while (taken.has(free)) free += '_';
    taken.add(free);
    return free;
  });
}

function isPlainLabelName(name: string): boolean {
  return /^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) && name !== '__name__';
}

function metricName(name: string): string {
  return /^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name) ? name : legalName(name, /[^a-zA-Z0-9_:]/g);
}

function legalName(name: string, illegal: RegExp): string {
  const legal = name.replace(illegal, '_').replace(/^[0-9]/, '_');
  return legal === '' ? '_' : legal;
}

function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function escapeLabel(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return escapeHelp(value).replaceAll('"', '\\"');
}
