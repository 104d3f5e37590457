import type { EngineProfile } from '../engines/profile.ts';
import type { EngineSettings } from '../fleet/engine.ts';

export interface EngineRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Plain 0.0.4: with OpenMetrics in the list Python engines rename counters, with a wildcard Strata sends JSON. */
const TEXT_PAGE = 'text/plain; version=0.0.4';

/** A GET below the engine's base URL. */
export function engineRequest(
  settings: EngineSettings,
  path: string,
  accept = 'application/json',
): EngineRequest {
  return addressed(settings, settings.url + path, accept);
}

/** Where the engine's metrics are; absent when its kind has none and the operator named no address. */
export function pageRequest(settings: EngineSettings, profile: EngineProfile): EngineRequest | undefined {
  const accept = profile.metrics?.accept ?? TEXT_PAGE;
  const { metrics } = settings;
  if (metrics !== undefined) {
    return addressed(
      settings,
      /^https?:\/\//i.test(metrics) ? metrics : settings.url + slashed(metrics),
      accept,
    );
  }
  if (profile.metrics === undefined) return undefined;
  const { path, query } = profile.metrics;
  return addressed(settings, `${settings.url}${path}${query === undefined ? '' : `?${query}`}`, accept);
}

/** The page has its own address on another host or port: that it is gone says nothing of the engine. */
export function pageIsElsewhere(settings: EngineSettings): boolean {
  const { metrics, url } = settings;
  return metrics !== undefined && /^https?:\/\//i.test(metrics) && originOf(metrics) !== originOf(url);
}

/** The engine's key goes to the engine's host only: metrics may be served by somebody else's machine. */
function addressed(settings: EngineSettings, url: string, accept: string): EngineRequest {
  const trusted = settings.key !== undefined && hostOf(url) === hostOf(settings.url);
  return { url, headers: { accept, ...(trusted ? { authorization: `Bearer ${settings.key}` } : {}) } };
}

function slashed(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** With the scheme: a key that travels by https is not sent in clear. */
function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}`;
}
