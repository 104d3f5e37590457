import { pageChunks } from '../metrics/rendered-page.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import type { PageDeps } from './deps.ts';
import { type FleetPage, fleetPage } from './fleet-families.ts';
import { pageFormat, type TextFormat, textFormat } from './page-format.ts';
import { metricsRecord } from './record.ts';
import { sendChunks, sendPage } from './send-page.ts';

/** `/metrics`, text or JSON as the client asks, and `/metrics/prometheus`, always text. */
export function metricsRoutes(deps: PageDeps): readonly Route[] {
  const sendText = async (exchange: Exchange, { format, contentType }: TextFormat): Promise<void> => {
    const ownOnly = exchange.url.searchParams.get('include') === 'own';
    await sendChunks(exchange, chunksOf(await fleetPage(deps, ownOnly), format), contentType);
  };
  return [
    {
      method: 'GET',
      path: '/metrics',
      guard: 'scrape',
      async handle(exchange) {
        const { request, url } = exchange;
        const form = pageFormat(request.headers.accept, url.searchParams.get('format'));
        if (form !== 'json') return sendText(exchange, form);
        await sendPage(exchange, 200, JSON.stringify(metricsRecord(deps)), 'application/json');
      },
    },
    {
      method: 'GET',
      path: '/metrics/prometheus',
      guard: 'scrape',
      handle: (exchange) =>
        sendText(
          exchange,
          textFormat(exchange.request.headers.accept, exchange.url.searchParams.get('format')),
        ),
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
