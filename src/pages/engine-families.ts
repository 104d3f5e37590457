import type { Engine } from '../fleet/engine.ts';
import { type RenderedFamily, renderFamily } from '../metrics/rendered-page.ts';
import { standInLatency } from '../metrics/stand-in-latency.ts';
import type { PageDeps } from './deps.ts';

export type EngineFamilies =
  | { readonly families: readonly RenderedFamily[] }
  /** Why there is nothing to show of it, for a person. */
  | { readonly reason: string };

/**
 * One engine's series in vLLM's names, from the page that is kept of it, with the latency that the gateway measured
 * where the kind has none.
 */
export async function engineFamilies(
  engine: Engine,
  { metrics, translator }: Pick<PageDeps, 'metrics' | 'translator'>,
): Promise<EngineFamilies> {
  const { identity, page, name, runtime } = engine;
  if (identity === undefined || !isServing(engine)) return { reason: whyLost(engine) };
  const { profile, models } = identity;
  const standIns = profile.latencyHistograms
    ? []
    : standInLatency(metrics, { name, runtime, kind: profile.kind }).map(renderFamily);
  if (!hasPage(engine)) return { families: standIns };
  if (page === undefined) return { reason: whyLost(engine) };
  const rendered = await translator.render(page, { name, runtime, profile, models });
  if ('families' in rendered) return { families: [...rendered.families, ...standIns] };
  engine.reportMalformed(page, rendered.malformed);
  return { reason: `its metrics page is malformed: ${rendered.malformed}` };
}

/**
 * Whether our count of the engine's requests stands on its own page now, and so not among the gateway's facts: its
 * kind counts nothing, and a series that two pages of one discovery have would be counted twice.
 */
export function isCountedOnOwnPage(engine: Engine): boolean {
  return engine.identity !== undefined && isServing(engine) && !hasPage(engine);
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

function isServing({ contact }: Engine): boolean {
  return contact.health !== 'down' && contact.health !== 'loading';
}
