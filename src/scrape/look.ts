import { type Detection, detectKind, evidenceOfPage } from '../engines/detect.ts';
import type { Answer, Evidence } from '../engines/evidence.ts';
import { genericProfile } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { type ProfileSet, profileIn } from '../engines/profile-set.ts';
import { parseExposition } from '../exposition/parse.ts';
import type { EngineSettings, Identity } from '../fleet/engine.ts';
import type { HttpClient } from '../kit/http.ts';
import { shorten } from '../kit/shorten.ts';
import { lookAtHealth } from './alive.ts';
import { type Ask, type Asked, askEngine } from './ask.ts';
import { foundMetricsPath, pageRequest } from './engine-request.ts';
import { MESSAGE_LENGTH, type ScrapeFailure } from './failure.ts';
import { type FetchLimits, fetchPage } from './fetch.ts';
import { readModels } from './look-models.ts';
import { isUnlikeAnEngine, penstockReason, remembering } from './stranger.ts';

export type Look =
  | {
      readonly state: 'seen';
      readonly identity: Identity;
      /** The engine answered with its models; without it the identity has none. */
      readonly listed: boolean;
      /** What its model list's path answered; absent when nothing came. */
      readonly modelsStatus: number | undefined;
    }
  | { readonly state: 'loading'; readonly reason: string }
  | { readonly state: 'failed'; readonly failure: ScrapeFailure };

/** Of any engine it is shorter. */
const VERSION_LENGTH = 128;

export interface LookDeps {
  readonly http: HttpClient;
  readonly profiles: ProfileSet;
}

/**
 * Who an engine is. Asks in the order of least harm and stops once it knows: health, version, models, the root
 * (Ollama), its metrics page, which also never touches the JSON page that TensorRT-LLM empties by reading, and last
 * a path that one kind alone has.
 */
export async function lookAtEngine(
  { http, profiles }: LookDeps,
  settings: EngineSettings,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Look> {
  const { ask, answers } = remembering(askEngine(http, settings, limits, signal));
  const configured = settings.kind === undefined ? undefined : profileIn(profiles, settings.kind);
  const alive = await lookAtHealth(ask, configured);
  if (alive.state !== 'alive') return alive;
  const found =
    configured === undefined ? await detect({ http, profiles }, settings, limits, ask, signal) : undefined;
  const profile = configured ?? found?.profile ?? genericProfile;
  const [version, listed] = await Promise.all([readVersion(ask, profile), readModels(ask, profile)]);
  const certainty = found?.certainty ?? 'configured';
  const penstock = penstockReason(answers);
  const unlike = isUnlikeAnEngine(certainty, listed) ? 'unlike' : undefined;
  return {
    state: 'seen',
    listed: listed.models !== undefined,
    modelsStatus: listed.status,
    identity: {
      profile,
      certainty,
      reason: shorten(penstock ?? found?.reason ?? `configured as ${settings.kind}`, MESSAGE_LENGTH),
      version,
      metricsPath: found?.metricsPath,
      models: listed.models ?? [],
      modelsProblem: listed.problem,
      listState: listed.listState,
      stranger: penstock === undefined ? unlike : 'penstock',
    },
  };
}

/** A kind, and where the page stood that shows it, when its profile would look elsewhere. */
interface Found extends Detection {
  readonly metricsPath?: string | undefined;
}

async function detect(
  { http, profiles }: LookDeps,
  settings: EngineSettings,
  limits: FetchLimits,
  ask: Ask,
  signal: AbortSignal,
): Promise<Found> {
  const health = answerOf(await ask('/health'));
  const version = answerOf(await ask('/version'));
  const models = answerOf(await ask('/v1/models'));
  const answers = {
    ...(health === undefined ? {} : { health }),
    ...(version === undefined ? {} : { version }),
    ...(models === undefined ? {} : { models }),
  };
  // Before its list is read as an engine's: it names the kinds behind it.
  const penstock = penstockReason(Object.values(answers));
  if (penstock !== undefined) return { profile: genericProfile, certainty: 'known', reason: penstock };
  let evidence: Evidence = answers;
  let found = detectKind(evidence, profiles);
  if (found.certainty === 'known') return found;
  const root = answerOf(await ask('/'));
  if (root !== undefined) evidence = { ...evidence, root };
  found = detectKind(evidence, profiles);
  if (found.certainty === 'known') return found;
  const page = await pageEvidence(http, settings, limits, signal);
  const readHere = (detection: Detection): Found => {
    const { profile } = detection;
    return profile.detect(page) === undefined
      ? detection
      : { ...detection, metricsPath: foundMetricsPath(settings, profile) };
  };
  evidence = { ...evidence, ...page };
  found = detectKind(evidence, profiles);
  if (found.certainty === 'known') return readHere(found);
  for (const path of confirmPaths(found, profiles)) {
    const confirmed = answerOf(await ask(path));
    if (confirmed !== undefined) found = detectKind({ ...evidence, confirmed }, profiles);
    if (found.certainty === 'known') break;
  }
  return readHere(found);
}

/** What would settle a guess; without any, what tells a kind whose page is on a port of its own. */
function confirmPaths(found: Detection, profiles: ProfileSet): readonly string[] {
  const asked =
    found.certainty === 'guess'
      ? [found.profile]
      : profiles.filter(({ metrics }) => metrics?.port !== undefined);
  return asked.flatMap(({ confirmPath }) => (confirmPath === undefined ? [] : [confirmPath]));
}

async function pageEvidence(
  http: HttpClient,
  settings: EngineSettings,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<Pick<Evidence, 'families' | 'labels'>> {
  const request = pageRequest(settings, genericProfile);
  if (request === undefined) return {};
  const fetched = await fetchPage(http, request, limits, signal);
  if (!('page' in fetched)) return {};
  try {
    return evidenceOfPage(parseExposition(fetched.page.bytes, fetched.page.format));
  } catch {
    // Its scrape will say so; here it is only no evidence.
    return {};
  }
}

async function readVersion(ask: Ask, { version }: EngineProfile): Promise<string | undefined> {
  if (version === undefined) return undefined;
  const answer = answerOf(await ask(version.path));
  let value: unknown = answer === undefined ? undefined : parsed(answer.body);
  for (const field of version.field.split('.')) {
    value =
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined;
  }
  return typeof value === 'string' && value !== '' ? shorten(value, VERSION_LENGTH) : undefined;
}

function answerOf(asked: Asked): Answer | undefined {
  return 'answer' in asked ? asked.answer : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
