import type {
  Exemplar,
  Exposition,
  ExpositionFormat,
  Family,
  Labels,
  MetricType,
  Sample,
} from '../../src/exposition/exposition.ts';

/**
 * A slow and obvious reader of metrics pages, line by line with regular expressions, to hold the real one against.
 * Written from the rules and not from `src/exposition`. Gives undefined for a page that is refused.
 */
export type ReferenceParser = (page: Uint8Array, format: ExpositionFormat) => Exposition | undefined;

type Metadata =
  | { readonly keyword: 'HELP'; readonly name: string; readonly text: string }
  | { readonly keyword: 'TYPE'; readonly name: string; readonly type: MetricType }
  | { readonly keyword: 'UNIT'; readonly name: string; readonly text: string };
type Line = 'refused' | 'nothing' | 'end' | { readonly sample: Sample } | { readonly metadata: Metadata };

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*';
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const TEXT_TYPES: Readonly<Record<string, MetricType>> = {
  counter: 'counter',
  gauge: 'gauge',
  histogram: 'histogram',
  summary: 'summary',
  untyped: 'unknown',
};
const OPEN_METRICS_TYPES: readonly string[] = [
  ...['counter', 'gauge', 'histogram', 'gaugehistogram', 'summary', 'info', 'stateset', 'unknown'],
];

class Refused extends Error {}

/** One that remembers lines, since tests damage the same page a thousand times at one line each. */
export function referenceParser(): ReferenceParser {
  const known = { text: new Map<string, Line>(), openMetrics: new Map<string, Line>() };
  return (page, format) => {
    // One character a byte: what has to be UTF-8 is decoded where it stands.
    const lines = Buffer.from(page).toString('latin1').split('\n');
    const openMetrics = format === 'openmetrics-1.0.0';
    const memory = openMetrics ? known.openMetrics : known.text;
    const read = lines.map((line) => {
      const result = memory.get(line) ?? attempt(openMetrics ? openMetricsLine : textLine, line);
      memory.set(line, result);
      return result;
    });
    return openMetrics ? openMetricsPage(lines, read) : collected(read);
  };
}

function openMetricsPage(lines: readonly string[], read: readonly Line[]): Exposition | undefined {
  const end = read.indexOf('end');
  const after = lines.slice(end + 1);
  if (end === -1 || !(after.length === 0 || (after.length === 1 && after[0] === ''))) return undefined;
  return collected(read.slice(0, end));
}

function collected(lines: readonly Line[]): Exposition | undefined {
  const families = new Map<string, Family>();
  const samples: Sample[] = [];
  for (const line of lines) {
    if (line === 'refused' || line === 'end') return undefined;
    if (line === 'nothing') continue;
    if ('sample' in line) samples.push(line.sample);
    else families.set(line.metadata.name, withMetadata(families.get(line.metadata.name), line.metadata));
  }
  return { families: [...families.values()], samples };
}

function withMetadata(family: Family | undefined, metadata: Metadata): Family {
  const known: Family = family ?? { name: metadata.name, type: 'unknown' };
  switch (metadata.keyword) {
    case 'HELP':
      return { ...known, help: metadata.text };
    case 'TYPE':
      return { ...known, type: metadata.type };
    case 'UNIT':
      return { ...known, unit: metadata.text };
  }
}

function attempt(read: (line: string) => Line, line: string): Line {
  try {
    return read(line);
  } catch (error) {
    if (error instanceof Refused) return 'refused';
    throw error;
  }
}

function textLine(line: string): Line {
  const text = line.replace(/^[ \t]+/, '');
  if (text === '') return 'nothing';
  if (text.startsWith('#')) return textComment(text);
  const [, bare, between = '', braces, rest = ''] =
    match(`(${NAME})?([ \\t]*)(\\{(?:[^"}]|${QUOTED})*\\})?(.*)`, text) ?? refuse();
  if (bare === undefined && (braces === undefined || between !== '')) refuse();
  const { labels, name } = labelSet(braces ?? '{}', { blanks: '[ \\t]*', comma: '(?:,|(?=["a-zA-Z_]))' });
  // A name may run into its value, which a sign or a point begins: `a-1`.
  const [, number = '', tail = ''] = match('[ \\t]*([^ \\t{]*)(.*)', between + rest) ?? refuse();
  const value = float(number);
  const [, digits] = match('[ \\t]*(?:([0-9]+)[ \\t]*)?', tail) ?? refuse();
  return {
    sample: sample(oneName(bare, name), labels, value, digits === undefined ? undefined : int64(digits)),
  };
}

function textComment(line: string): Line {
  const [, keyword, rest = ''] = match('#[ \\t]+(HELP|TYPE)[ \\t]+(.*)', line) ?? [];
  if (keyword === undefined) return 'nothing';
  const [, written = '', text = ''] = match(`(${NAME}|${QUOTED})(.*)`, rest) ?? refuse();
  const name = familyName(written);
  // One byte parts the name from its text, whichever it is.
  const content = utf8(text.slice(1));
  if (keyword === 'HELP') return { metadata: { keyword, name, text: unescaped(content, '\\\\n') } };
  return { metadata: { keyword: 'TYPE', name, type: TEXT_TYPES[content] ?? refuse() } };
}

function openMetricsLine(line: string): Line {
  if (line === '# EOF') return 'end';
  if (line.startsWith('#')) return openMetricsMetadata(line);
  const braces = `\\{(?:[^"}]|${QUOTED})*\\}`;
  const [, bare, set, number = '', seconds, exemplar] =
    match(`(${NAME})?(${braces})? ([^ ]*)(?: (?!# \\{)([^ ]*))?(?: # (\\{.*))?`, line) ?? refuse();
  if (bare === undefined && set === undefined) refuse();
  const { labels, name } = labelSet(set ?? '{}', { blanks: '', comma: ',' });
  return {
    sample: sample(
      oneName(bare, name),
      labels,
      float(number),
      seconds === undefined ? undefined : milliseconds(seconds),
      exemplar === undefined ? undefined : readExemplar(exemplar),
    ),
  };
}

function readExemplar(text: string): Exemplar {
  const [, set = '', number = '', seconds] =
    match(`(\\{(?:[^"}]|${QUOTED})*\\}) ([^ ]*)(?: ([^ ]*))?`, text) ?? refuse();
  const { labels, name } = labelSet(set, { blanks: '', comma: ',' });
  if (name !== undefined) refuse();
  const value = float(number);
  return { labels, value, ...(seconds === undefined ? {} : { timestampMs: milliseconds(seconds) }) };
}

function openMetricsMetadata(line: string): Line {
  const [, keyword, written = '', text = ''] =
    match(`# (HELP|TYPE|UNIT) (${NAME}|${QUOTED}) (.*)`, line) ?? refuse();
  const name = familyName(written);
  const content = utf8(text);
  if (keyword === 'HELP') return { metadata: { keyword, name, text: unescaped(content, '\\\\"n') } };
  if (keyword === 'TYPE') {
    const type = OPEN_METRICS_TYPES.find((one) => one === content) ?? refuse();
    return { metadata: { keyword, name, type: type as MetricType } };
  }
  if (content !== '' && !name.endsWith(`_${content}`)) refuse();
  return { metadata: { keyword: 'UNIT', name, text: content } };
}

interface LabelRules {
  /** What may stand between two tokens. */
  readonly blanks: string;
  /** What has to stand between two labels. */
  readonly comma: string;
}

function labelSet(
  braces: string,
  { blanks, comma }: LabelRules,
): { readonly labels: Labels; readonly name: string | undefined } {
  const pairs = new Map<string, string>();
  let name: string | undefined;
  let rest = braces.slice(1, -1).replace(new RegExp(`^${blanks}`), '');
  while (rest !== '') {
    const label = match(`(${LABEL}|${QUOTED})${blanks}=${blanks}(${QUOTED})${blanks}(.*)`, rest);
    const metric = label === undefined ? match(`(${QUOTED})${blanks}((?:,.*)?)`, rest) : undefined;
    if (label !== undefined) {
      const key = nameOf(label[1] ?? '');
      if (pairs.has(key) || key === '' || key === '__name__') refuse();
      pairs.set(key, unquoted(label[2] ?? ''));
    } else {
      const found = nameOf(metric?.[1] ?? refuse());
      if (name !== undefined || found === '') refuse();
      name = found;
    }
    const tail = label?.[3] ?? metric?.[2] ?? '';
    if (tail === '') break;
    const [, after = ''] = match(`${comma}${blanks}(.*)`, tail) ?? refuse();
    rest = after;
  }
  return { labels: Object.fromEntries(pairs), name };
}

function sample(
  name: string,
  labels: Labels,
  value: number,
  timestampMs?: number,
  exemplar?: Exemplar,
): Sample {
  return {
    name,
    labels,
    value,
    ...(timestampMs === undefined ? {} : { timestampMs }),
    ...(exemplar === undefined ? {} : { exemplar }),
  };
}

function oneName(bare: string | undefined, quoted: string | undefined): string {
  if (bare !== undefined && quoted !== undefined) refuse();
  return bare ?? quoted ?? refuse();
}

function familyName(written: string): string {
  const name = nameOf(written);
  return name === '' ? refuse() : name;
}

function nameOf(written: string): string {
  return written.startsWith('"') ? unquoted(written) : written;
}

function unquoted(quoted: string): string {
  return unescaped(utf8(quoted.slice(1, -1)), '\\\\"n');
}

function unescaped(text: string, letters: string): string {
  return text.replace(new RegExp(`\\\\([${letters}])`, 'g'), (_, letter: string) =>
    letter === 'n' ? '\n' : letter,
  );
}

function float(text: string): number {
  if (/^nan$/i.test(text)) return Number.NaN;
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  if (!/^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text)) refuse();
  const value = Number(text);
  return Number.isFinite(value) ? value : refuse();
}

function int64(digits: string): number {
  return BigInt(digits) < 2n ** 63n ? Number(digits) : refuse();
}

function milliseconds(seconds: string): number {
  const value = Math.trunc(float(seconds) * 1000);
  if (!(Math.abs(value) < 2 ** 63)) refuse();
  return value === 0 ? 0 : value;
}

function utf8(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return refuse();
  }
}

function match(pattern: string, text: string): RegExpExecArray | undefined {
  return new RegExp(`^${pattern}$`, 's').exec(text) ?? undefined;
}

function refuse(): never {
  throw new Refused();
}
