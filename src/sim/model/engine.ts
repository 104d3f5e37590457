import { type Random, seededRandom } from '../../kit/random.ts';
import { BlockCache } from './block-cache.ts';
import { BlockWatch } from './block-watch.ts';
import type { ModelProfile } from './model-profile.ts';
import type { RequestSpec, Sequence } from './sequence.ts';

export type Admission = 'as-fits' | 'reserve-all';

/** Speculative decoding. */
export interface Speculation {
  /** Per sequence and step. */
  readonly draftTokens: number;
  /** Chance that a drafted token is accepted, given that those before it were; 0 to 1. */
  readonly acceptance: number;
}

export interface EngineSettings {
  readonly profile: ModelProfile;
  /** These default to the profile's. */
  readonly maxSeqs?: number;
  readonly kvTokens?: number;
  readonly maxBatchedTokens?: number;
  /** 16, as vLLM on CUDA. */
  readonly blockTokens?: number;
  /** Share of the blocks that a newcomer must leave free while others run (vLLM's watermark); 0. */
  readonly watermark?: number;
  readonly seed: number;
  /** `as-fits`: whatever has room for its next chunk starts, and may be preempted (vLLM). `reserve-all`: only what has
   * room to its end, so that nothing is ever preempted and more waits (TensorRT-LLM's GUARANTEED_NO_EVICT). */
  readonly admission?: Admission;
  readonly speculation?: Speculation;
  /** Share of the KV blocks whose lives are told in `evicted` events; none when absent. */
  readonly watchedBlocks?: number;
  /** Sigma of a log-normal factor of mean 1 on each step's time; 0 draws nothing. */
  readonly noise?: number;
}

/** Totals since the engine began. They never fall. */
export interface EngineCounters {
  steps: number;
  busyMs: number;
  /** Prompts completed, cached tokens included (vLLM: `prompt_tokens`). */
  promptTokens: number;
  generatedTokens: number;
  /** Prefill tokens that were computed, repeated ones included. */
  computedTokens: number;
  /** Prefix cache, first scheduling only. */
  queriedTokens: number;
  cachedTokens: number;
  preemptions: number;
  finishedStop: number;
  finishedLength: number;
  finishedAbort: number;
  finishedError: number;
  draftedTokens: number;
  acceptedTokens: number;
}

/**
 * One engine between two steps. `step` changes it in place: a copy of the cache per step would cost more
 * than the step. Whoever made it owns it, and reads it only through `snapshotOf`, `admits` and `hasWork`.
 */
export interface EngineState {
  readonly profile: ModelProfile;
  readonly maxSeqs: number;
  readonly maxBatchedTokens: number;
  readonly blockTokens: number;
  readonly watermarkBlocks: number;
  readonly admission: Admission;
  readonly speculation: Speculation | undefined;
  readonly noise: number;
  readonly random: Random;
  readonly cache: BlockCache;
  readonly watch: BlockWatch | undefined;
  /** In the order they were scheduled, which is the order they are served; the last is preempted first. */
  running: Sequence[];
  readonly waiting: Sequence[];
  readonly byId: Map<string, Sequence>;
  readonly counters: EngineCounters;
  nextSerial: number;
}

export function createEngine(settings: EngineSettings): EngineState {
  const { profile } = settings;
  const blockTokens = wholeFrom1('blockTokens', settings.blockTokens ?? 16);
  const kvTokens = wholeFrom1('kvTokens', settings.kvTokens ?? profile.kvTokens);
  const totalBlocks = Math.floor(kvTokens / blockTokens);
  if (totalBlocks < 1) {
    throw new RangeError(`kvTokens is ${kvTokens}: less than one block of ${blockTokens} tokens`);
  }
  const watch = watchOf(settings);
  return {
    profile,
    maxSeqs: wholeFrom1('maxSeqs', settings.maxSeqs ?? profile.maxSeqs),
    maxBatchedTokens: wholeFrom1('maxBatchedTokens', settings.maxBatchedTokens ?? profile.maxBatchedTokens),
    blockTokens,
    watermarkBlocks: Math.floor(totalBlocks * share('watermark', settings.watermark ?? 0)),
    admission: settings.admission ?? 'as-fits',
    speculation: speculationOf(settings.speculation),
    noise: share('noise', settings.noise ?? 0),
    random: seededRandom(settings.seed),
    cache: new BlockCache(totalBlocks, watch),
    watch,
    running: [],
    waiting: [],
    byId: new Map(),
    counters: {
      steps: 0,
      busyMs: 0,
      promptTokens: 0,
      generatedTokens: 0,
      computedTokens: 0,
      queriedTokens: 0,
      cachedTokens: 0,
      preemptions: 0,
      finishedStop: 0,
      finishedLength: 0,
      finishedAbort: 0,
      finishedError: 0,
      draftedTokens: 0,
      acceptedTokens: 0,
    },
    nextSerial: 0,
  };
}

/**
 * Whether the engine can ever serve this request. A server asks before it hands the request to `step`,
 * which throws on one that can never fit: it would block the queue for good.
 */
export function admits(state: EngineState, spec: RequestSpec): 'too-long' | undefined {
  const tokens = spec.promptTokens + spec.outputTokens;
  const fits = tokens <= state.profile.contextTokens && tokens <= state.cache.totalBlocks * state.blockTokens;
  return fits ? undefined : 'too-long';
}

/** True while some request is waiting or running: the next `step` will take time. */
export function hasWork(state: EngineState): boolean {
  return state.byId.size > 0;
}

/** With chance of its own, so that watching changes nothing else. */
function watchOf({ watchedBlocks, seed }: EngineSettings): BlockWatch | undefined {
  if (watchedBlocks === undefined) return undefined;
  return new BlockWatch(share('watchedBlocks', watchedBlocks), seededRandom(seed ^ 0x5bd1e995));
}

function speculationOf(speculation: Speculation | undefined): Speculation | undefined {
  if (speculation === undefined) return undefined;
  return {
    draftTokens: wholeFrom1('draftTokens', speculation.draftTokens),
    acceptance: share('acceptance', speculation.acceptance),
  };
}

function wholeFrom1(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 1) {
    throw new RangeError(`${name} is ${value}: it must be a whole number from 1`);
  }
  return value;
}

function share(name: string, value: number): number {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is ${value}: it must be from 0 to 1`);
  return value;
}
