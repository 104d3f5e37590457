import { profiles } from '../../src/engines/index.ts';
import type { EngineSettings } from '../../src/fleet/engine.ts';
import { Fleet } from '../../src/fleet/fleet.ts';
import { defaultScrapeSettings, Scraper, type ScrapeSettings } from '../../src/scrape/scraper.ts';
import { collectingLog } from './collecting-log.ts';
import { byPath, type FakeHandler, type FakeReply, fakeHttp } from './fake-http.ts';
import { ManualClock, settle } from './manual-clock.ts';

export type Replies = Readonly<Record<string, FakeReply | string>>;

/** One engine that answers so, watched in virtual time; its first round is on its way. */
export function watchEngine(
  replies: Replies | FakeHandler,
  over: Partial<EngineSettings> = {},
  settings: Partial<ScrapeSettings> = {},
) {
  const clock = new ManualClock();
  const fleet = new Fleet({ clock });
  const engine = fleet.add({
    name: 'gpu-0',
    url: 'http://gpu:8000',
    kind: undefined,
    runtime: undefined,
    key: undefined,
    metrics: undefined,
    ...over,
  });
  const http = fakeHttp(typeof replies === 'function' ? replies : byPath(replies));
  const log = collectingLog();
  const scraper = new Scraper(
    { clock, http, profiles, fleet, log },
    { ...defaultScrapeSettings, ...settings },
  );
  scraper.start();
  return {
    clock,
    fleet,
    engine,
    http,
    log,
    scraper,
    asked: (wanted: string) => http.asked.filter(({ path }) => path === wanted).length,
    logged: (message: string) => log.lines.filter((line) => line.message === message),
    /** From here on. */
    reply: (now: Replies) => {
      http.answer = byPath(now);
    },
  };
}

/** The same, its first round over. */
export async function watchedEngine(...of: Parameters<typeof watchEngine>) {
  const watched = watchEngine(...of);
  await settle();
  return watched;
}
