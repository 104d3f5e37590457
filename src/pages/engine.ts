import type { Engine } from '../fleet/engine.ts';
import { standInCounts } from '../metrics/engine-facts.ts';
import { pageChunks, renderFamily } from '../metrics/rendered-page.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import type { PageDeps } from './deps.ts';
import { engineFactsOf } from './engine-facts-of.ts';
import { engineFamilies, hasPage, isCountedOnOwnPage, whyLost } from './engine-families.ts';
import { textFormat } from './page-format.ts';
import { sendChunks, sendPage } from './send-page.ts';

const PLAIN = 'text/plain; charset=utf-8';

/**
 * `/engines/<name>/metrics`: one engine in vLLM's names, or with `?raw=1` what it sent itself. A lost engine's page
 * is a 503 with the reason, so that Prometheus' `up` tells the truth.
 */
export function enginePage(deps: PageDeps): Route {
  return {
    method: 'GET',
    path: '/engines/:name/metrics',
    guard: 'scrape',
    async handle(exchange) {
      const name = exchange.params['name'] ?? '';
      const engine = deps.fleet.get(name);
      if (engine === undefined) return sendPage(exchange, 404, unknownEngine(name, deps), PLAIN);
      if (exchange.url.searchParams.get('raw') === '1') return sendRaw(exchange, engine);
      const read = await engineFamilies(engine, deps);
      if ('reason' in read) return sendPage(exchange, 503, lost(engine, read.reason), PLAIN);
      const counts = isCountedOnOwnPage(engine) ? standInCounts(engineFactsOf(engine)) : [];
      const families = [...counts.map(renderFamily), ...read.families];
      const { format, contentType } = textFormat(
        exchange.request.headers.accept,
        exchange.url.searchParams.get('format'),
      );
      await sendChunks(exchange, pageChunks(families, format), contentType);
    },
  };
}

async function sendRaw(exchange: Exchange, engine: Engine): Promise<void> {
  const { page } = engine;
  if (page !== undefined) {
    await sendPage(exchange, 200, page.bytes, page.contentType === '' ? PLAIN : page.contentType);
  } else if (engine.identity !== undefined && !hasPage(engine)) {
    const text = `${engine.identity.profile.title} has no metrics page of its own\n`;
    await sendPage(exchange, 404, text, PLAIN);
  } else {
    await sendPage(exchange, 503, lost(engine, whyLost(engine)), PLAIN);
  }
}

function lost(engine: Engine, reason: string): string {
  return `engine ${engine.name} has no metrics now: ${reason}\n`;
}

function unknownEngine(name: string, { fleet }: PageDeps): string {
  const names = fleet.engines().map((engine) => engine.name);
  return `there is no engine ${JSON.stringify(name)}; the engines are: ${names.length === 0 ? '(none)' : names.join(', ')}\n`;
}
