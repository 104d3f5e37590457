import type { ExpositionFormat } from '../exposition/exposition.ts';
import { forced, type Negotiated, negotiate } from '../exposition/negotiate.ts';
import type { Exchange } from '../serving/routes.ts';
import { asked } from './asked.ts';

const OFFERED: readonly ExpositionFormat[] = ['openmetrics-1.0.0', 'text-1.0.0', 'text-0.0.4'];

/** Formats that a query names. */
const FORMATS = { prometheus: 'text-0.0.4', openmetrics: 'openmetrics-1.0.0' } as const;
const TEXT_FORMATS = ['prometheus', 'openmetrics'] as const;

/** How a page is written: the format for who names one, and the record for everybody else. */
export type PageFormat = TextFormat | 'json';

export type TextFormat = Pick<Negotiated, 'format' | 'contentType'>;

/**
 * Text where the client names text/plain or OpenMetrics, or the query asks for it; the JSON record for everybody
 * else: browsers, curl and programs that say nothing.
 * @throws GatewayError as `asked`
 */
export function pageFormat({ request, url }: Exchange): PageFormat {
  const format = asked(url, 'format', [...TEXT_FORMATS, 'json']);
  if (format !== undefined) return format === 'json' ? format : forced(FORMATS[format]);
  const negotiated = negotiate(request.headers.accept, OFFERED);
  return negotiated.named ? negotiated : 'json';
}

/** For pages that are never JSON. @throws GatewayError as `asked` */
export function textFormat({ request, url }: Exchange): TextFormat {
  const format = asked(url, 'format', TEXT_FORMATS);
  return format === undefined ? negotiate(request.headers.accept, OFFERED) : forced(FORMATS[format]);
}
