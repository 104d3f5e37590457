import type { ExpositionFormat } from '../exposition/exposition.ts';
import { forced, type Negotiated, negotiate } from '../exposition/negotiate.ts';

const OFFERED: readonly ExpositionFormat[] = ['openmetrics-1.0.0', 'text-1.0.0', 'text-0.0.4'];

/** Formats that a query names; `json` is the record. */
const ASKED: Readonly<Record<string, ExpositionFormat>> = {
  prometheus: 'text-0.0.4',
  openmetrics: 'openmetrics-1.0.0',
};

/** How a page is written: the format for who names one, and the record for everybody else. */
export type PageFormat = TextFormat | 'json';

export type TextFormat = Pick<Negotiated, 'format' | 'contentType'>;

/**
 * Text where the client names text/plain or OpenMetrics, or the query asks for it; the JSON record for everybody
 * else: browsers, curl and programs that say nothing.
 */
export function pageFormat(accept: string | undefined, format: string | null): PageFormat {
  const asked = ASKED[format ?? ''];
  if (asked !== undefined) return forced(asked);
  const negotiated = negotiate(accept, OFFERED);
  return negotiated.named && format !== 'json' ? negotiated : 'json';
}

/** For pages that are never JSON. */
export function textFormat(accept: string | undefined, format: string | null): TextFormat {
  const asked = ASKED[format ?? ''];
  return asked === undefined ? negotiate(accept, OFFERED) : forced(asked);
}
