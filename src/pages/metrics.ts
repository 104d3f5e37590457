import { pageChunks } from '../metrics/rendered-page.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import { asked } from './asked.ts';
import type { PageDeps } from './deps.ts';
import { type FleetPage, fleetPage } from './fleet-families.ts';
import { pageFormat, type TextFormat, textFormat } from './page-format.ts';
import { metricsRecord } from './record.ts';
import { sendChunks, sendPage } from './send-page.ts';

/** `/metrics`, text or JSON as the client asks, and `/metrics/prometheus`, always text. */
export function metricsRoutes(deps: PageDeps): readonly Route[] {
  const sendText = async (exchange: Exchange, { format, contentType }: TextFormat): Promise<void> => {
    const ownOnly = asked(exchange.url, 'include', ['own']) === 'own';
    await sendChunks(exchange, chunksOf(await fleetPage(deps, ownOnly), format), contentType);
  };
  return [
    {
      method: 'GET',
      path: '/metrics',
      guard: 'scrape',
      async handle(exchange) {
        const form = pageFormat(exchange);
        if (form !== 'json') return sendText(exchange, form);
        // Of the record every reader takes what it wants.
        asked(exchange.url, 'include', ['own']);
        await sendPage(exchange, 200, JSON.stringify(metricsRecord(deps)), 'application/json');
      },
    },
    {
      method: 'GET',
      path: '/metrics/prometheus',
      guard: 'scrape',
      handle: async (exchange) => sendText(exchange, textFormat(exchange)),
    },
  ];
}

function* chunksOf({ families, remarks }: FleetPage, format: TextFormat['format']): Iterable<Uint8Array> {
  // OpenMetrics has no comments.
  if (format !== 'openmetrics-1.0.0') {
    yield Buffer.from(remarks.map((remark) => `# ${remark.replace(/[\r\n]+/g, ' ')}\n`).join(''));
  }
  yield* pageChunks(families, format);
}
