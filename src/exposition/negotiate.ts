import { type AcceptRange, parseAccept } from './accept.ts';
import { ESCAPINGS, type Escaping } from './escape-name.ts';
import type { ExpositionFormat } from './exposition.ts';

export interface Negotiated {
  readonly format: ExpositionFormat;
  /** How names beyond the classic ones are to be written. */
  readonly escaping: Escaping;
  /** The Content-Type header to answer with. */
  readonly contentType: string;
  /** The client named text/plain or OpenMetrics, of any version, and did not refuse it with `q=0`. */
  readonly named: boolean;
}

const CONTENT_TYPES: Readonly<Record<ExpositionFormat, string>> = {
  'text-0.0.4': 'text/plain; version=0.0.4; charset=utf-8',
  'text-1.0.0': 'text/plain; version=1.0.0; charset=utf-8',
  'openmetrics-1.0.0': 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** In the order in which a client that takes anything gets them. */
const FORMATS: readonly ExpositionFormat[] = ['text-0.0.4', 'openmetrics-1.0.0', 'text-1.0.0'];

/** A client that does not say may know classic names only. */
const DEFAULT_ESCAPING: Escaping = 'underscores';

/**
 * The format to answer an Accept header with, of those that the caller can write: text 0.0.4 and `offered`.
 *
 * Named formats come before the catch-all whatever their weights: Prometheus 2.49.0 gives that a `q=2`. A client
 * that takes nothing we have gets text 0.0.4, as scrape targets do, and never 406.
 */
export function negotiate(accept: string | undefined, offered: readonly ExpositionFormat[]): Negotiated {
  const ranges = parseAccept(accept ?? '');
  const named = ranges.some((range) => range.weight > 0 && namesMetrics(range));
  const refused = new Set(ranges.filter(({ weight }) => weight === 0).map(formatNamed));
  const byWeight = ranges.filter(({ weight }) => weight > 0).sort((one, other) => other.weight - one.weight);
  for (const range of byWeight) {
    const format = formatNamed(range);
    if (format !== undefined && offered.includes(format)) return answer(format, named, range);
  }
  const anything = byWeight.some(({ mediaType }) => mediaType === '*/*');
  const accepted = FORMATS.find((one) => anything && offered.includes(one) && !refused.has(one));
  return answer(accepted ?? 'text-0.0.4', named, undefined);
}

/** This format, whatever the client's Accept header says: it asked for it in another way. */
export function forced(format: ExpositionFormat): Negotiated {
  return answer(format, true, undefined);
}

function answer(format: ExpositionFormat, named: boolean, range: AcceptRange | undefined): Negotiated {
  const asked = ESCAPINGS.find((one) => one === range?.parameters.get('escaping'));
  const escaping = asked ?? DEFAULT_ESCAPING;
  const stated = asked !== undefined || format === 'text-1.0.0';
  const contentType = CONTENT_TYPES[format] + (stated ? `; escaping=${escaping}` : '');
  return { format, escaping, contentType, named };
}

function namesMetrics({ mediaType }: AcceptRange): boolean {
  return mediaType === 'text/plain' || mediaType === 'application/openmetrics-text';
}

/** Undefined for another media type, for a wildcard and for a version that does not exist here. */
function formatNamed({ mediaType, parameters }: AcceptRange): ExpositionFormat | undefined {
  const version = parameters.get('version');
  if (mediaType === 'application/openmetrics-text') {
    return version === undefined || version === '1.0.0' ? 'openmetrics-1.0.0' : undefined;
  }
  if (mediaType !== 'text/plain') return undefined;
  if (version === '1.0.0') return 'text-1.0.0';
  return version === undefined || version === '0.0.4' ? 'text-0.0.4' : undefined;
}
