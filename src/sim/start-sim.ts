import { oneTwoFive } from '../catalog/bounds.ts';
import { emptyReading } from '../engines/empty-reading.ts';
import { profileOf } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { pageOf } from '../engines/write.ts';
import { writeText } from '../exposition/write-text.ts';
import type { Clock } from '../kit/clock.ts';
import { hash32 } from '../kit/hash.ts';
import type { Log } from '../kit/log.ts';
import { seededRandom } from '../kit/random.ts';
import { UsageError } from '../kit/usage-error.ts';
import { listen } from '../serving/listen.ts';
import type { ApiContext } from './apis/api.ts';
import { dispatch } from './apis/dispatch.ts';
import { Driver } from './driver.ts';
import { findModelProfile, type ModelProfile, modelProfiles } from './model/model-profile.ts';
import { allSimKinds, type SimKind } from './sim-kinds.ts';
import { ownMakerOf } from './stats/own-values.ts';
import { SimStats } from './stats/sim-stats.ts';

export interface SimSettings {
  readonly kind: string;
  readonly model: string;
  /** Slug of a model profile; absent: one that suits the kind. */
  readonly profile: string | undefined;
  /** Data-parallel ranks. Only kinds whose page tells ranks apart have more than one. */
  readonly ranks: number;
  /** Absent: what the kind starts with. */
  readonly maxNumSeqs: number | undefined;
  /** 10: ten times as fast as the real one, in its own figures too. */
  readonly speed: number;
  readonly seed: number;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  /** Asked of clients as the kind asks for it; kinds without keys take no notice. */
  readonly key?: string;
}

export interface Sim {
  readonly url: string;
  readonly kind: string;
  /** Ends what runs and stops listening. */
  stop(): Promise<void>;
  /** As `kill -9`: every connection is cut where it is. */
  kill(): Promise<void>;
}

/**
 * Starts one simulated engine server.
 * @throws UsageError for a kind, profile or number of ranks there is not; Error when it cannot listen
 */
export async function startSim(
  settings: SimSettings,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<Sim> {
  const kind = kindOf(settings);
  const context = contextOf(kind, settings, { clock, log: log.child({ engine: settings.kind }) });
  const listener = await listen(dispatch(kind.api(context), context.log), {
    host: settings.host,
    port: settings.port,
    graceMs: 0,
    keepAliveMs: kind.keepAliveMs,
  });
  return {
    url: listener.url,
    kind: settings.kind,
    async stop() {
      await context.driver.stop();
      await listener.stop();
    },
    async kill() {
      await listener.kill();
      await context.driver.stop();
    },
  };
}

function kindOf({ kind, ranks }: SimSettings): SimKind {
  const found = allSimKinds.find((one) => one.kind === kind);
  if (found === undefined) {
    const known = allSimKinds.map((one) => one.kind).join(', ');
    throw new UsageError(`no engine of kind ${JSON.stringify(kind)} can be simulated; there are: ${known}`);
  }
  if (ranks > 1 && profileOf(kind)?.rankLabel === undefined) {
    throw new UsageError(
      `--ranks: ${kind} has no data-parallel ranks that its metrics tell apart; leave it at 1`,
    );
  }
  return found;
}

function modelProfileOf(slug: string): ModelProfile {
  const found = findModelProfile(slug);
  if (found !== undefined) return found;
  const known = modelProfiles.map((one) => one.slug).join(', ');
  throw new UsageError(`there is no model profile ${JSON.stringify(slug)}; there are: ${known}`);
}

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
    rest: restOf(engineProfile, { model, ranks, contextTokens, kvTokens, blockTokens }),
    ranks,
    contextTokens,
    maxSeqs,
    inFlight: () => driver.inFlight(),
  });
  const driver: Driver = new Driver(
    { clock, log, observer: stats },
    { engine: { profile, maxSeqs, kvTokens, blockTokens, seed }, ranks, speed },
  );
  const weightBytes = 8e9;
  const own = ownMakerOf(kind.kind, { kvTokens, blockTokens, maxSeqs, contextTokens, weightBytes });
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

const TOKEN_HISTOGRAMS = [
  'vllm:request_prompt_tokens',
  'vllm:request_generation_tokens',
  'vllm:request_max_num_generation_tokens',
  'vllm:request_params_max_tokens',
  'vllm:request_prefill_kv_computed_tokens',
];

function restOf(
  profile: EngineProfile | undefined,
  sizes: { model: string; ranks: number; contextTokens: number; kvTokens: number; blockTokens: number },
): ReturnType<typeof emptyReading> {
  const { model, contextTokens, kvTokens, blockTokens } = sizes;
  const ranks = Array.from({ length: sizes.ranks }, (_, rank) => String(rank));
  if (profile === undefined) return { series: new Map(), ranks, modelName: model };
  return emptyReading(profile, {
    modelName: model,
    ranks,
    // Its token histograms end where the model's context does.
    bounds: Object.fromEntries(
      profile.kind === 'vllm' ? TOKEN_HISTOGRAMS.map((name) => [name, oneTwoFive(contextTokens)]) : [],
    ),
    cacheConfig: cacheConfigOf(profile.kind, { contextTokens, kvTokens, blockTokens }),
  });
}

function cacheConfigOf(
  kind: string,
  { contextTokens, kvTokens, blockTokens }: { contextTokens: number; kvTokens: number; blockTokens: number },
): Readonly<Record<string, string>> {
  // Strata has no pool: what it calls its cache is the context of one request.
  if (kind === 'strata') return { kv_cache_size_tokens: String(contextTokens) };
  const common = {
    block_size: String(blockTokens),
    num_gpu_blocks: String(kvTokens / blockTokens),
    kv_cache_size_tokens: String(kvTokens),
  };
  if (kind !== 'vllm') return common;
  return {
    ...common,
    cache_dtype: 'auto',
    calculate_kv_scales: 'False',
    enable_prefix_caching: 'True',
    gpu_memory_utilization: '0.9',
    num_cpu_blocks: 'None',
    num_gpu_blocks_override: 'None',
    prefix_caching_hash_algo: 'sha256',
    sliding_window: 'None',
    swap_space: '4',
  };
}
