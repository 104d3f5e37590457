import { profileOf } from '../engines/index.ts';
import { pageOf } from '../engines/write.ts';
import { type WrittenFamily, writeText } from '../exposition/write-text.ts';
import type { Clock } from '../kit/clock.ts';
import { hash32 } from '../kit/hash.ts';
import type { Log } from '../kit/log.ts';
import { type Random, seededRandom } from '../kit/random.ts';
import type { ApiContext } from './apis/api.ts';
import { Driver } from './driver.ts';
import { sizesOf } from './engine-sizes.ts';
import { NO_FAULTS } from './fate.ts';
import type { SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';
import { ownMakerOf } from './stats/own/own-values.ts';
import { ownMeasured, restReading } from './stats/rest-reading.ts';
import { SimStats } from './stats/sim-stats.ts';
import { switchedOn } from './stats/switched-on.ts';

export interface SimWorld {
  readonly clock: Clock;
  readonly log: Log;
  /** Where it listens, once it does. */
  readonly port?: () => number;
}

/** The engine and all that its API needs, not yet listening. @throws UsageError */
export function contextOf(kind: SimKind, settings: SimSettings, { clock, log, port }: SimWorld): ApiContext {
  const { model, ranks, speed, seed, adapters = [], speculation, kvCacheMetrics } = settings;
  const sizes = sizesOf(kind, settings);
  const { profile, kvTokens, blockTokens, maxSeqs, contextTokens } = sizes;
  const engineProfile = profileOf(kind.kind);
  const stats = new SimStats({
    rules: kind.stats,
    rest: restReading(engineProfile, {
      model,
      ranks,
      contextTokens,
      kvTokens,
      blockTokens,
      switchedOn: switchedOn(kind, settings),
      draftTokens: speculation?.draftTokens ?? 0,
    }),
    ranks,
    contextTokens,
    maxSeqs,
    inFlight: () => driver.inFlight(),
    adapters: adapters.length,
    wallSeconds: () => clock.wallTime() / 1000,
  });
  const driver: Driver = new Driver(
    { clock, log, random: seededRandom(seed ^ hash32('faults')), observer: stats },
    {
      engine: {
        profile,
        maxSeqs,
        kvTokens,
        blockTokens,
        seed,
        ...(kind.admission === 'reserve-all' ? { admission: kind.admission } : {}),
        ...(speculation === undefined ? {} : { speculation }),
        ...(kvCacheMetrics === undefined ? {} : { watchedBlocks: kvCacheMetrics }),
      },
      ranks,
      speed,
      faults: settings.faults ?? NO_FAULTS,
    },
  );
  const own = ownMakerOf(kind.kind, { kvTokens, blockTokens, maxSeqs, contextTokens });
  const families = (): readonly WrittenFamily[] => {
    if (engineProfile === undefined) return [];
    const reading = stats.reading();
    const values = { ...own(stats.view()), ...ownMeasured(engineProfile, reading) };
    return pageOf(engineProfile, reading, values);
  };
  return {
    model,
    adapters,
    key: settings.key,
    host: settings.host,
    ...sizes,
    ranks,
    speed,
    seed,
    clock,
    log,
    driver,
    stats,
    startedWallMs: clock.wallTime(),
    // Engines of one seed and different kinds, models or ports must not give the same ids.
    newId: idsOf(() => seed ^ hash32(`${kind.kind} ${model} ${port?.() ?? settings.port}`)),
    families,
    page: () => writeText(families()),
  };
}

/** Asked for its seed at the first id: by then the port is known. */
function idsOf(seed: () => number): (digits: number) => string {
  let random: Random | undefined;
  return (digits) => {
    random ??= seededRandom(seed());
    const next = random;
    return Array.from({ length: digits }, () => Math.floor(next() * 16).toString(16)).join('');
  };
}
