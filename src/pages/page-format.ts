import { negotiate } from '../exposition/negotiate.ts';

/** What is written today; OpenMetrics joins when it is. */
const OFFERED = ['text-0.0.4'] as const;

export interface PageFormat {
  readonly form: 'text' | 'json';
  readonly contentType: string;
}

/**
 * Text where the client names text/plain or OpenMetrics, or the query asks for it; the JSON record for everybody
 * else: browsers, curl and programs that say nothing.
 */
export function pageFormat(accept: string | undefined, format: string | null): PageFormat {
  const { contentType, named } = negotiate(accept, OFFERED);
  const wanted = format === 'prometheus' || format === 'openmetrics' || (named && format !== 'json');
  return wanted ? { form: 'text', contentType } : { form: 'json', contentType: 'application/json' };
}

/** For pages that are never JSON. */
export function textFormat(accept: string | undefined): string {
  return negotiate(accept, OFFERED).contentType;
}
