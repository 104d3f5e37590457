import { genericProfile, profileOf } from '../../engines/index.ts';
import { launchText } from '../../engines/launch-text.ts';
import type { EngineProfile, LaunchFlag } from '../../engines/profile.ts';
import { SIGNAL_FAMILIES, type Signals } from '../../engines/signals.ts';
import type { Engine } from '../../fleet/engine.ts';
import type { HttpFailureCode } from '../../kit/http.ts';
import { withoutQuery } from '../../kit/without-query.ts';
import { withFoundPage } from '../../scrape/engine-request.ts';
import type { EngineWatch } from '../../scrape/engine-watch.ts';
import type { ScrapeFailure } from '../../scrape/failure.ts';
import type { Finding } from './finding.ts';

type Found = Omit<Finding, 'advice'>;

interface Known {
  readonly engine: Engine;
  readonly profile: EngineProfile;
  readonly watch: EngineWatch;
  readonly person: Person;
}

/** How whoever asks runs Penstock. */
export interface Person {
  /** The file in which the engines' settings stand; absent when there is none. */
  readonly config: string | undefined;
  /** What they type to run it. */
  readonly penstock: string;
}

/** What to do about a finding, most urgent first. */
export function adviceFor(found: Found, known: Known): readonly string[] {
  if (found.stranger === 'penstock') {
    return ['name the engines behind it instead: through two gateways neither sees what the other sends'];
  }
  if (found.stranger === 'unlike') return [unlikeAdvice(found)];
  if (found.health === 'loading') return ['wait until it has loaded its model, then look again'];
  if (found.health !== 'up') return [contactAdvice(found, failureOf(known.watch))];
  return [
    ...new Set([
      ...modelsAdvice(found, known),
      ...kindAdvice(found, known),
      ...pageAdvice(found, known),
      ...missingAdvice(found, known),
    ]),
  ];
}

function unlikeAdvice({ url, modelsProblem }: Found): string {
  const path = pathOf(url);
  const why = modelsProblem === undefined ? '' : ` (${modelsProblem})`;
  return path === undefined
    ? `this does not look like an LLM engine: check the address${why}`
    : `no engine answers there: check the path ${path} of its address${why}`;
}

function failureOf({ lastLook }: EngineWatch): ScrapeFailure | undefined {
  return lastLook?.state === 'failed' ? lastLook.failure : undefined;
}

/** What is at an address that serves nothing, as far as its failure tells. */
function contactAdvice({ url }: Found, failure: ScrapeFailure | undefined): string {
  const { code, status } = failure ?? {};
  if (status === 502 || status === 504)
    return 'a proxy answered, and what is behind it did not: check that the engine itself runs';
  if (status !== undefined) return "it answers and says that it cannot serve: the engine's own log says why";
  const known = code === undefined ? undefined : BY_CODE[code];
  return known?.(url) ?? `check that the engine runs and that ${url} is its address, without /v1`;
}

const BY_CODE: Partial<Readonly<Record<HttpFailureCode, (url: string) => string>>> = {
  dns: (url) => `check the name in ${url}, or use an IP address`,
  tls: () =>
    'make its certificate one that this machine trusts: NODE_EXTRA_CA_CERTS names a file with more of them',
  'not-tls': (url) => `use ${url.replace(/^https:/, 'http:')}: it does not speak TLS`,
  'not-http': otherScheme,
  'cut-off': otherScheme,
  timeout: () => 'it takes connections and does not answer: see whether it hangs, or raise `scrape.timeout`',
};

function otherScheme(url: string): string {
  return url.startsWith('https:')
    ? `check that ${url} is its address: what listens there is no web server`
    : `if it speaks TLS, use ${url.replace(/^http:/, 'https:')}; else check that this is its address`;
}

function modelsAdvice({ url, models, modelsProblem }: Found, known: Known): readonly string[] {
  if (models.length > 0 || known.profile.apis.length === 0) return [];
  const { lastLook } = known.watch;
  const status = lastLook?.state === 'seen' ? lastLook.modelsStatus : undefined;
  if (isRefusal(status)) return [keyAdvice(known)];
  if (status === 200 && lastLook?.state === 'seen' && lastLook.listed)
    return ['load a model: it lists none, and no request can be routed to it'];
  const path = pathOf(url);
  const part = path === undefined ? 'its address' : `the path ${path} of its address`;
  return [
    status === undefined || status >= 500
      ? `no request can be routed to it while its model list does not come: the engine's own log says why`
      : `check ${part}: no request can be routed to it without its model list (${modelsProblem})`,
  ];
}

function keyAdvice({ engine, person: { config } }: Known): string {
  const verb = engine.settings.key === undefined ? 'set' : 'correct';
  return `${verb} its \`key\` in ${config ?? 'a config file and name that with --config'}`;
}

function kindAdvice({ certainty }: Found, { profile, watch, person: { config } }: Known): readonly string[] {
  // What a key opens may tell the kind.
  const { lastLook } = watch;
  if (certainty === 'none' && lastLook?.state === 'seen' && isRefusal(lastLook.modelsStatus)) return [];
  const place = config === undefined ? 'in a config file and name that with --config' : `in ${config}`;
  if (certainty === 'none') return [`say its \`kind\` ${place}: it could not be told from its answers`];
  if (certainty === 'guess') return [`if the guess is right, say \`kind: ${profile.kind}\` ${place}`];
  return [];
}

function pageAdvice({ contract, signals }: Found, known: Known): readonly string[] {
  const { profile, watch } = known;
  if (contract === 'malformed') {
    return [`${parseCommand(known)} shows the place; what could be read up to it still counts`];
  }
  if (signals !== undefined && lacksLoad(signals, profile) && isOwn(profile)) return [describeAdvice(known)];
  if (contract !== 'unseen' && contract !== 'blind') return [];
  if (isRefusal(watch.pageStatus)) return [keyAdvice(known)];
  const needed = profile.launch
    .filter((launch) => launch.needed && (contract === 'unseen' || launch.forPage !== true))
    .map(launchAdvice);
  if (needed.length > 0) return needed;
  return contract === 'unseen'
    ? ['if its metrics are elsewhere, say where with `metrics` in a config file']
    : [];
}

function parseCommand({ engine, profile, person }: Known): string {
  const { settings, identity } = engine;
  const page = withFoundPage(settings, identity).metrics ?? profile.metrics?.path ?? '/metrics';
  const from = page.startsWith('/') ? settings.url + page : page;
  return `${person.penstock} parse ${withoutQuery(from)}`;
}

const LOAD = ['running', 'waiting'] as const;

/** Whether the page does not say what runs or waits, and nobody has said why. */
function lacksLoad(signals: Signals, { families }: EngineProfile): boolean {
  return LOAD.some((name) => {
    const supply = families[SIGNAL_FAMILIES[name]];
    return signals[name] === undefined && !(supply !== undefined && 'missing' in supply);
  });
}

/** Whether it is nobody's kind, or one that the config describes. */
function isOwn({ kind }: EngineProfile): boolean {
  return kind === genericProfile.kind || profileOf(kind) === undefined;
}

function describeAdvice(known: Known): string {
  const { config } = known.person;
  const file = config ?? 'a config file';
  return `${parseCommand(known)} shows what its page has: say in section \`kinds\` of ${file} where ${LOAD.map((name) => SIGNAL_FAMILIES[name]).join(' and ')} are on it`;
}

function missingAdvice({ missing }: Found, { profile }: Known): readonly string[] {
  const flags = new Set(missing.flatMap(({ flag }) => (flag === undefined ? [] : [flag])));
  const newer = missing.some(({ flag, since }) => flag === undefined && since !== undefined);
  return [
    ...(flags.size > 0 ? [`for what is missing, start it with ${[...flags].join(' ')}`] : []),
    ...(newer ? [`a newer ${profile.title} brings what has a version behind it`] : []),
  ];
}

function isRefusal(status: number | undefined): boolean {
  return status === 401 || status === 403;
}

/** What an address has behind its host; absent when nothing. */
function pathOf(url: string): string | undefined {
  const { pathname } = new URL(url);
  return pathname === '/' ? undefined : pathname;
}

function launchAdvice(launch: LaunchFlag): string {
  return `${launchText([launch])}: ${launch.brings}`;
}
