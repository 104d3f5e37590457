import type { Exposition, ExpositionFormat } from './exposition.ts';
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

/**
 * Reads a whole page, or nothing of it. Linear in its size.
 *
 * @throws ExpositionError for a page that is not accepted whole
 */
export function parseExposition(bytes: Uint8Array, format: ExpositionFormat): Exposition {
  switch (format) {
    case 'openmetrics-1.0.0':
      return parseOpenMetrics(bytes);
    case 'text-0.0.4':
    // Without quoted names the grammar of 1.0.0 is that of 0.0.4.
    case 'text-1.0.0':
      return parseText(bytes);
  }
}
