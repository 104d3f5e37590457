import type { WrittenFamily } from '../exposition/write-text.ts';
import { engineFactFamilies } from '../metrics/engine-facts.ts';
import { mergeFamilies, seriesCount } from '../metrics/merge-families.ts';
import type { PageDeps } from './deps.ts';
import { engineFactsOf } from './engine-facts-of.ts';
import { engineFamilies } from './engine-families.ts';

export interface FleetPage {
  readonly families: readonly WrittenFamily[];
  /** What a person should know of the page: whom it lacks, and why. One line each. */
  readonly remarks: readonly string[];
}

/** The gateway's own facts and, unless `ownOnly`, all engines' series beside them. */
export async function fleetPage(deps: PageDeps, ownOnly: boolean): Promise<FleetPage> {
  const engines = deps.fleet.engines();
  const own = [...deps.metrics.families(), ...engineFactFamilies(engines.map(engineFactsOf))];
  const lost = engines.flatMap((engine) =>
    engine.contact.health === 'down' ? [`engine ${engine.name} is lost: ${engine.contact.reason}`] : [],
  );
  if (ownOnly) return { families: mergeFamilies(own), remarks: lost };
  const fleet = await fleetFamilies(deps);
  return { families: mergeFamilies([...own, ...fleet.families]), remarks: [...lost, ...fleet.remarks] };
}

async function fleetFamilies({ fleet, metrics, settings }: PageDeps): Promise<FleetPage> {
  const families: WrittenFamily[] = [];
  const remarks: string[] = [];
  let count = 0;
  for (const engine of fleet.engines()) {
    // Requests pass between two engines: a page of a large fleet takes longer than a token may wait.
    await new Promise((resolve) => setImmediate(resolve));
    const read = engineFamilies(engine, metrics);
    if ('reason' in read) {
      if (engine.contact.health === 'up') remarks.push(`engine ${engine.name} has no series: ${read.reason}`);
      continue;
    }
    count += seriesCount(read.families);
    if (count > settings.fleetPageSeries)
      return { families: [], remarks: [tooMany(settings.fleetPageSeries)] };
    families.push(...read.families);
  }
  return { families, remarks };
}

function tooMany(cap: number): string {
  return `the engines are left out: they have more than ${cap} series (limits.fleetPageSeries); read them one by one, /sd/prometheus lists their pages`;
}
