import type { Config } from './config/config.ts';
import { profiles } from './engines/index.ts';
import { withOverrides } from './engines/override.ts';
import { Fleet } from './fleet/fleet.ts';
import { newChoices } from './gateway/choices.ts';
import { gatewayRoutes } from './gateway/server.ts';
import { UndiciUpstream } from './gateway/upstream-undici.ts';
import type { Clock } from './kit/clock.ts';
import { http1Client } from './kit/http1-client.ts';
import type { Log } from './kit/log.ts';
import type { Random } from './kit/random.ts';
import { GatewayMetrics } from './metrics/gateway-metrics.ts';
import { Translator } from './metrics/translator.ts';
import { pageRoutes } from './pages/routes.ts';
import { policies } from './routing/index.ts';
import { Scraper } from './scrape/scraper.ts';
import { isLoopback } from './serving/host-check.ts';
import { listen } from './serving/listen.ts';
import { freshInstanceId, freshRequestId } from './serving/request-id.ts';
import { createRouter } from './serving/routes.ts';

/** Time, chance and where to write: everything in here is given them from outside. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly version: string;
}

export interface App {
  /** As a client on this machine reaches it. */
  readonly url: string;
  /** Takes no new requests, lets running answers end (30 s at most), stops scraping. */
  stop(): Promise<void>;
}

const GRACE_MS = 30_000;

/** The composition root: every part is made here and nowhere else. Resolves when it listens. */
export async function startApp(config: Config, { clock, random, log, version }: World): Promise<App> {
  const fleet = new Fleet({ clock, random }, { ...config.health, breaker: config.breaker });
  for (const engine of config.engines) fleet.add(engine);

  const http = http1Client({ clock });
  const upstream = new UndiciUpstream();
  const metrics = new GatewayMetrics({ version });
  const translator = new Translator({ clock, log });
  const kinds = withOverrides(profiles, config.kinds);
  const scraper = new Scraper({ clock, http, profiles: kinds, fleet, log }, config.scrape);
  const keyless = config.keys.client.length === 0;
  const hostCheck = { listenerHost: config.listen.host, keyless, allowed: config.listen.allowedHosts };
  let readiness: 'starting' | 'ready' | 'draining' = 'starting';

  const routes = [
    ...gatewayRoutes({
      instanceId: freshInstanceId(random, clock),
      fleet,
      policy: policies[config.routing.policy](random),
      meter: metrics,
      upstream,
      choices: newChoices(),
      clock,
      log,
      settings: {
        aliases: config.aliases,
        bodyBytes: config.limits.bodyBytes,
        headAfterMs: config.stream.headAfterMs,
      },
      readiness: () => readiness,
      relook: (engine) => void scraper.lookNow(engine),
    }),
    ...pageRoutes({
      fleet,
      metrics,
      translator,
      clock,
      settings: {
        fleetPageSeries: config.limits.fleetPageSeries,
        publicUrl: config.listen.publicUrl,
        hostChecked: keyless && isLoopback(config.listen.host),
        scheme: 'http',
      },
    }),
  ];
  const router = createRouter(routes, {
    keys: { ...config.keys, admin: [] },
    hostCheck,
    log,
    clock,
    newRequestId: () => freshRequestId(random),
    onError: ({ code }) => metrics.error(code),
  });

  const listener = await listen(router, { ...config.listen, graceMs: GRACE_MS, clock });
  scraper.start();
  readiness = 'ready';
  return {
    url: listener.url,
    async stop() {
      readiness = 'draining';
      await listener.stop();
      await scraper.stop();
      await Promise.all([upstream.close(), http.close(), translator.stop()]);
    },
  };
}
