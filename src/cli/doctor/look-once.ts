import type { Config } from '../../config/config.ts';
import { profiles } from '../../engines/index.ts';
import { withOverrides } from '../../engines/override.ts';
import { Fleet } from '../../fleet/fleet.ts';
import type { Clock } from '../../kit/clock.ts';
import { http1Client } from '../../kit/http1-client.ts';
import { silentLog } from '../../kit/log.ts';
import { EngineWatch } from '../../scrape/engine-watch.ts';
import type { Person } from './advice.ts';
import { type AliasFinding, lostAliases } from './alias-finding.ts';
import { type Finding, findingOf } from './finding.ts';

export interface Findings {
  readonly engines: readonly Finding[];
  /** Only those that lead nowhere. */
  readonly aliases: readonly AliasFinding[];
}

/** Every engine looked at once, all at the same time, by the very code that serve looks with. */
export async function lookOnce(config: Config, person: Person, clock: Clock): Promise<Findings> {
  const fleet = new Fleet({ clock });
  const http = http1Client({ clock });
  const deps = { clock, http, profiles: withOverrides(profiles, config.kinds), log: silentLog };
  const { signal } = new AbortController();
  try {
    const engines = await Promise.all(
      config.engines.map(async (settings) => {
        const engine = fleet.add(settings);
        const watch = new EngineWatch(deps, engine, config.scrape);
        await watch.round(signal);
        return findingOf(engine, watch, person);
      }),
    );
    return { engines, aliases: lostAliases(config.aliases, fleet) };
  } finally {
    await http.close();
  }
}
