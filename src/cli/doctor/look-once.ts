import type { Config } from '../../config/config.ts';
import { profiles } from '../../engines/index.ts';
import { withOverrides } from '../../engines/override.ts';
import { Fleet } from '../../fleet/fleet.ts';
import type { Clock } from '../../kit/clock.ts';
import { http1Client } from '../../kit/http1-client.ts';
import { silentLog } from '../../kit/log.ts';
import { EngineWatch } from '../../scrape/engine-watch.ts';
import { type Finding, findingOf } from './finding.ts';

/** Every engine looked at once, all at the same time, by the very code that serve looks with. */
export async function lookOnce(config: Config, clock: Clock): Promise<readonly Finding[]> {
  const fleet = new Fleet({ clock });
  const http = http1Client({ clock });
  const deps = { clock, http, profiles: withOverrides(profiles, config.kinds), log: silentLog };
  const { signal } = new AbortController();
  try {
    return await Promise.all(
      config.engines.map(async (settings) => {
        const engine = fleet.add(settings);
        await new EngineWatch(deps, engine, config.scrape).round(signal);
        return findingOf(engine);
      }),
    );
  } finally {
    await http.close();
  }
}
