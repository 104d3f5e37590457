import { engineFactFamilies } from '../metrics/engine-facts.ts';
import { type RenderedFamily, renderFamily, seriesCount } from '../metrics/rendered-page.ts';
import type { PageDeps } from './deps.ts';
import { engineFactsOf } from './engine-facts-of.ts';
import { engineFamilies, isCountedOnOwnPage } from './engine-families.ts';

export interface FleetPage {
  readonly families: readonly RenderedFamily[];
  /** What a person should know of the page: whom it lacks, and why. One line each. */
  readonly remarks: readonly string[];
}

/** The gateway's own facts and, unless `ownOnly`, all engines' pages beside them. */
export async function fleetPage(deps: PageDeps, ownOnly: boolean): Promise<FleetPage> {
  const fleet = ownOnly ? { families: [], remarks: [] } : await fleetFamilies(deps);
  const engines = deps.fleet.engines();
  const elsewhere = ownOnly ? engines.filter(isCountedOnOwnPage).map(({ name }) => name) : [];
  const facts = engineFactFamilies(engines.map(engineFactsOf), new Set(elsewhere));
  const own = [...deps.metrics.families(), ...facts].map(renderFamily);
  const lost = engines.flatMap((engine) =>
    engine.contact.health === 'down' ? [`engine ${engine.name} is down: ${engine.contact.reason}`] : [],
  );
  return { families: [...own, ...fleet.families], remarks: [...lost, ...fleet.remarks] };
}

async function fleetFamilies(deps: PageDeps): Promise<FleetPage> {
  const families: RenderedFamily[] = [];
  const remarks: string[] = [];
  const cap = deps.settings.fleetPageSeries;
  let count = 0;
  for (const engine of deps.fleet.engines()) {
    // Requests pass between two engines: a page of a large fleet takes longer than a token may wait.
    await new Promise((resolve) => setImmediate(resolve));
    const read = await engineFamilies(engine, deps);
    if ('reason' in read) {
      if (engine.contact.health === 'up') remarks.push(`engine ${engine.name} has no series: ${read.reason}`);
      continue;
    }
    count += seriesCount(read.families);
    if (count > cap) return { families: [], remarks: [tooMany(cap)] };
    for (const family of read.families) families.push(family);
  }
  return { families, remarks };
}

function tooMany(cap: number): string {
  return `the engines are left out: they have more than ${cap} series (limits.fleetPageSeries); read them one by one, /sd/prometheus lists their pages`;
}
