import { profileOf } from '../engines/index.ts';
import { pageOf } from '../engines/write.ts';
import { writeText } from '../exposition/write-text.ts';
import type { Clock } from '../kit/clock.ts';
import { hash32 } from '../kit/hash.ts';
import type { Log } from '../kit/log.ts';
import { seededRandom } from '../kit/random.ts';
import { UsageError } from '../kit/usage-error.ts';
import type { ApiContext } from './apis/api.ts';
import { Driver } from './driver.ts';
import { findModelProfile, type ModelProfile, modelProfiles } from './model/model-profile.ts';
import type { SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';
import { ownMakerOf } from './stats/own-values.ts';
import { restReading } from './stats/rest-reading.ts';
import { SimStats } from './stats/sim-stats.ts';

/** The engine and all that its API needs, not yet listening. */
export function contextOf(
  kind: SimKind,
  settings: SimSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): ApiContext {
  const profile = modelProfileOf(settings.profile ?? kind.profile);
  const { model, ranks, speed, seed } = settings;
  const { blockTokens } = kind;
  const maxSeqs = settings.maxNumSeqs ?? kind.maxSeqs ?? profile.maxSeqs;
  const kvTokens = Math.floor(profile.kvTokens / blockTokens) * blockTokens;
  const contextTokens = Math.min(profile.contextTokens, kvTokens);
  const engineProfile = profileOf(kind.kind);
  const stats = new SimStats({
    rules: kind.stats,
    rest: restReading(engineProfile, { model, ranks, contextTokens, kvTokens, blockTokens }),
    ranks,
    contextTokens,
    maxSeqs,
    inFlight: () => driver.inFlight(),
  });
  const driver: Driver = new Driver(
    { clock, log, observer: stats },
    { engine: { profile, maxSeqs, kvTokens, blockTokens, seed }, ranks, speed },
  );
  const own = ownMakerOf(kind.kind, { kvTokens, blockTokens, maxSeqs, contextTokens });
  // Engines of one seed and different kinds or models must not give the same ids.
  const random = seededRandom(seed ^ hash32(`${kind.kind} ${model} ${settings.port}`));
  return {
    model,
    key: settings.key,
    host: settings.host,
    profile,
    ranks,
    maxSeqs,
    blockTokens,
    kvTokens,
    contextTokens,
    speed,
    seed,
    clock,
    log,
    driver,
    stats,
    startedWallMs: clock.wallTime(),
    newId: (digits) => Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join(''),
    page: () =>
      engineProfile === undefined ? '' : writeText(pageOf(engineProfile, stats.reading(), own(stats.view()))),
  };
}

function modelProfileOf(slug: string): ModelProfile {
  const found = findModelProfile(slug);
  if (found !== undefined) return found;
  const known = modelProfiles.map((one) => one.slug).join(', ');
  throw new UsageError(`there is no model profile ${JSON.stringify(slug)}; there are: ${known}`);
}
