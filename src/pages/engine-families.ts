import { ExpositionError } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import type { Engine } from '../fleet/engine.ts';
import { engineFactFamilies } from '../metrics/engine-facts.ts';
import type { GatewayMetrics } from '../metrics/gateway-metrics.ts';
import { standInLatency } from '../metrics/stand-in-latency.ts';
import { translatePage } from '../metrics/translate.ts';
import { engineFactsOf } from './engine-facts-of.ts';

export type EngineFamilies =
  | { readonly families: readonly WrittenFamily[] }
  /** Why there is nothing to show of it, for a person. */
  | { readonly reason: string };

/** One engine's series in vLLM's names, from the page that is kept of it. */
export function engineFamilies(engine: Engine, metrics: GatewayMetrics): EngineFamilies {
  const { identity, page } = engine;
  const { health, kind } = engine.view();
  if (identity === undefined || health === 'down' || health === 'loading') return { reason: whyLost(engine) };
  const standIns = identity.profile.latencyHistograms
    ? []
    : standInLatency(metrics, { name: engine.name, runtime: engine.runtime, kind });
  if (!hasPage(engine)) {
    return { families: [...engineFactFamilies([engineFactsOf(engine)]), ...standIns] };
  }
  if (page === undefined) return { reason: whyLost(engine) };
  const { profile, models } = identity;
  try {
    const families = translatePage(page, { name: engine.name, runtime: engine.runtime, profile, models });
    return { families: [...families, ...standIns] };
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    engine.reportMalformed(page, error.message);
    return { reason: `its metrics page is malformed: ${error.message}` };
  }
}

/** Whether the engine is expected to have a page at all. */
export function hasPage({ identity, settings }: Engine): boolean {
  return identity?.profile.metrics !== undefined || settings.metrics !== undefined;
}

export function whyLost(engine: Engine): string {
  return (
    engine.pageReason ??
    (engine.contact.health === 'unknown' ? 'it was not reached yet' : 'it has no page yet')
  );
}
