import { forced } from '../exposition/negotiate.ts';
import type { Engine } from '../fleet/engine.ts';
import { nameList } from '../kit/name-list.ts';
import { shorten } from '../kit/shorten.ts';
import { standInCounts } from '../metrics/engine-facts.ts';
import { pageChunks, renderFamily } from '../metrics/rendered-page.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import { asked } from './asked.ts';
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
      const { format, contentType } = textFormat(exchange);
      if (asked(exchange.url, 'raw', ['0', '1']) === '1') return sendRaw(exchange, engine);
      const read = await engineFamilies(engine, deps);
      if ('reason' in read) return sendPage(exchange, 503, lost(engine, read.reason), PLAIN);
      const counts = isCountedOnOwnPage(engine) ? standInCounts(engineFactsOf(engine)) : [];
      const families = [...counts.map(renderFamily), ...read.families];
      await sendChunks(exchange, pageChunks(families, format), contentType);
    },
  };
}

async function sendRaw(exchange: Exchange, engine: Engine): Promise<void> {
  const { page } = engine;
  if (page !== undefined) {
    // The page is read as this, whatever the engine calls it: its own word could make a browser run what it says.
    await sendPage(exchange, 200, page.bytes, forced(page.format).contentType);
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
  const names = nameList(fleet.engines().map((engine) => engine.name));
  return `there is no engine ${JSON.stringify(shorten(name, 200))}; the engines are: ${names === '' ? '(none)' : names}\n`;
}
