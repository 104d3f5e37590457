import type { Exposition, ExpositionFormat } from './exposition.ts';
import { NO_LIMITS, type PageLimits } from './page-limits.ts';
import { parseOpenMetrics } from './parse-open-metrics.ts';
import { parseText } from './parse-text.ts';

/**
 * The format that a Content-Type header names. Anything but OpenMetrics is read as text, as Prometheus does by
 * default: engines send `text/plain`, nothing at all, or worse.
 */
export function formatOf(contentType: string | undefined): ExpositionFormat {
  const [mediaType = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  if (mediaType.trim() === 'application/openmetrics-text') return 'openmetrics-1.0.0';
  return parameters.some((parameter) => /^\s*version\s*=\s*"?1\.0\.0"?\s*$/.test(parameter))
    ? 'text-1.0.0'
    : 'text-0.0.4';
}

export interface ParseOptions {
  /** By the format documents and not by what Prometheus lets pass. */
  readonly strict?: boolean;
  readonly limits?: PageLimits;
}

/**
 * Reads a whole page, or nothing of it. Linear in its size. Equal label sets of one page are one object.
 *
 * @throws ExpositionError for a page that is not accepted whole, PageLimitError for one beyond the limits
 */
export function parseExposition(
  bytes: Uint8Array,
  format: ExpositionFormat,
  { strict = false, limits = NO_LIMITS }: ParseOptions = {},
): Exposition {
  switch (format) {
    case 'openmetrics-1.0.0':
      return parseOpenMetrics(bytes, { strict, limits });
    case 'text-0.0.4':
      return parseText(bytes, { version: '0.0.4', strict, limits });
    case 'text-1.0.0':
      return parseText(bytes, { version: '1.0.0', strict, limits });
  }
}
