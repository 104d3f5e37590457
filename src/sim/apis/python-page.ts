import { negotiate } from '../../exposition/negotiate.ts';
import { writeOpenMetrics } from '../../exposition/write-open-metrics.ts';
import type { ApiContext } from './api.ts';
import { headerOf } from './bearer.ts';
import type { Exchange } from './exchange.ts';

/** The page as the Python client serves it: in OpenMetrics to whoever asks for that, else as text. */
export function pythonPage({ page, families }: ApiContext, exchange: Exchange): void {
  const { format, contentType } = negotiate(headerOf(exchange, 'accept'), [
    'text-0.0.4',
    'openmetrics-1.0.0',
  ]);
  const body = format === 'openmetrics-1.0.0' ? writeOpenMetrics(families()) : page();
  exchange.text(200, body, contentType);
}
