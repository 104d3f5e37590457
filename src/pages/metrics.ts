import { writeTextChunks } from '../exposition/write-text.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import type { PageDeps } from './deps.ts';
import { type FleetPage, fleetPage } from './fleet-families.ts';
import { pageFormat, textFormat } from './page-format.ts';
import { metricsRecord } from './record.ts';
import { sendPage } from './send-page.ts';

/** `/metrics`, text or JSON as the client asks, and `/metrics/prometheus`, always text. */
export function metricsRoutes(deps: PageDeps): readonly Route[] {
  const sendText = async (exchange: Exchange, contentType: string): Promise<void> => {
    const ownOnly = exchange.url.searchParams.get('include') === 'own';
    await sendPage(exchange, 200, pageText(await fleetPage(deps, ownOnly)), contentType);
  };
  return [
    {
      method: 'GET',
      path: '/metrics',
      guard: 'scrape',
      async handle(exchange) {
        const { request, url } = exchange;
        const { form, contentType } = pageFormat(request.headers.accept, url.searchParams.get('format'));
        if (form === 'text') return sendText(exchange, contentType);
        await sendPage(exchange, 200, JSON.stringify(metricsRecord(deps)), contentType);
      },
    },
    {
      method: 'GET',
      path: '/metrics/prometheus',
      guard: 'scrape',
      handle: (exchange) => sendText(exchange, textFormat(exchange.request.headers.accept)),
    },
  ];
}

function pageText({ families, remarks }: FleetPage): string {
  const lines = remarks.map((remark) => `# ${remark.replace(/[\r\n]+/g, ' ')}\n`);
  return [...lines, ...writeTextChunks(families)].join('');
}
