import { genericProfile } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { EngineSettings, Identity } from '../fleet/engine.ts';

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
  const url = pageUrl(settings, profile);
  return url === undefined ? undefined : addressed(settings, url, profile.metrics?.accept ?? TEXT_PAGE);
}

/** The page that showed its kind is the one to read, unless the operator named another. */
export function withFoundPage(settings: EngineSettings, identity: Identity | undefined): EngineSettings {
  const metrics = settings.metrics ?? identity?.metricsPath;
  return metrics === settings.metrics ? settings : { ...settings, metrics };
}

/** Where below the engine's address a page that showed its kind stands; absent when the profile looks there itself. */
export function foundMetricsPath(settings: EngineSettings, { metrics }: EngineProfile): string | undefined {
  if (settings.metrics !== undefined || metrics === undefined) return undefined;
  if (metrics.perModel !== undefined || metrics.otherForm !== undefined) return undefined;
  const path = genericProfile.metrics?.path;
  return metrics.port === undefined && metrics.path === path ? undefined : path;
}

/** Where the page of one of its models is, for a kind that has one for each. */
export function modelPageRequest(
  settings: EngineSettings,
  profile: EngineProfile,
  model: string,
): EngineRequest | undefined {
  const request = pageRequest(settings, profile);
  const parameter = profile.metrics?.perModel?.query;
  if (request === undefined || parameter === undefined) return request;
  const { url } = request;
  const separator = url.includes('?') ? '&' : '?';
  return { ...request, url: `${url}${separator}${parameter}=${encodeURIComponent(model)}` };
}

/** The page has its own address on another host or port: that it is gone says nothing of the engine. */
export function pageIsElsewhere(settings: EngineSettings, profile?: EngineProfile): boolean {
  const url = profile === undefined ? settings.metrics : pageUrl(settings, profile);
  return url !== undefined && /^https?:\/\//i.test(url) && originOf(url) !== originOf(settings.url);
}

function pageUrl({ url, metrics }: EngineSettings, profile: EngineProfile): string | undefined {
  if (metrics !== undefined) return /^https?:\/\//i.test(metrics) ? metrics : url + slashed(metrics);
  if (profile.metrics === undefined) return undefined;
  const { path, query = '', port } = profile.metrics;
  const base = port === undefined ? url : atPort(url, port);
  return `${base}${path}${query === '' ? '' : `?${query}`}`;
}

/** A path of the engine's address is the engine's own: another port of its host is another server. */
function atPort(url: string, port: number): string {
  if (!URL.canParse(url)) return url;
  const { protocol, hostname } = new URL(url);
  return `${protocol}//${hostname}:${port}`;
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
