import { profiles } from '../../src/engines/index.ts';
import { Fleet } from '../../src/fleet/fleet.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { silentLog } from '../../src/kit/log.ts';
import { GatewayMetrics } from '../../src/metrics/gateway-metrics.ts';
import { Translator } from '../../src/metrics/translator.ts';
import type { PageSettings } from '../../src/pages/deps.ts';
import { pageRoutes } from '../../src/pages/routes.ts';
import { defaultScrapeSettings, Scraper } from '../../src/scrape/scraper.ts';
import { listen } from '../../src/serving/listen.ts';
import { createRouter } from '../../src/serving/routes.ts';
import { type FakeHandler, fakeHttp } from './fake-http.ts';
import { ManualClock, settle } from './manual-clock.ts';

/** The metric path from engines' answers to real pages over real HTTP; scraping runs in virtual time. */
export async function pageServer(
  engines: Readonly<Record<string, FakeHandler>>,
  settings: Partial<PageSettings> = {},
) {
  const clock = new ManualClock();
  const fleet = new Fleet({ clock });
  const answers: Record<string, FakeHandler> = { ...engines };
  for (const name of Object.keys(engines)) {
    fleet.add({
      name,
      url: `http://${name}:8000`,
      kind: undefined,
      runtime: undefined,
      key: undefined,
      metrics: undefined,
    });
  }
  const http = fakeHttp((request) => answers[new URL(request.url).hostname]?.(request) ?? { status: 404 });
  const scraper = new Scraper({ clock, http, profiles, fleet, log: silentLog }, defaultScrapeSettings);
  const metrics = new GatewayMetrics({ version: '0.1.0' });
  const translator = new Translator({ clock, log: silentLog });
  const routes = pageRoutes({
    fleet,
    metrics,
    translator,
    clock,
    settings: {
      fleetPageSeries: 50_000,
      publicUrl: undefined,
      hostChecked: true,
      scheme: 'http',
      ...settings,
    },
  });
  const router = createRouter(routes, {
    keys: { client: [], scrape: [], admin: [] },
    hostCheck: { listenerHost: '127.0.0.1', keyless: true, allowed: ['gate.example'] },
    log: silentLog,
    clock,
    newRequestId: () => 'id',
  });
  const listener = await listen(router, { host: '127.0.0.1', port: 0, graceMs: 0, clock: systemClock });
  scraper.start();
  await settle();
  return {
    url: listener.url,
    clock,
    fleet,
    metrics,
    /** How engines answer; may be replaced. */
    answers,
    async stop() {
      await scraper.stop();
      await listener.stop();
      await translator.stop();
    },
  };
}

export type PageServer = Awaited<ReturnType<typeof pageServer>>;
