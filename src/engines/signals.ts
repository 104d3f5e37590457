import type { CatalogFamily } from '../catalog/family.ts';
import type { Sample } from '../exposition/exposition.ts';
import { combinedNumber } from './combine.ts';
import { kvCapacityTokens } from './kv-capacity.ts';
import { indexPage, type PageIndex } from './page-index.ts';
import type { EngineProfile } from './profile.ts';
import { type ReadPlan, type ReadPlans, readIndexed, readPlan } from './read.ts';
import { readSource } from './read-source.ts';
import type { Reading, Series } from './reading.ts';

/** What one rank says of itself. */
interface RankSignals {
  readonly rank: string;
  readonly running: number | undefined;
  readonly waiting: number | undefined;
  readonly kvUsage: number | undefined;
}

/** What routing and stuck detection know from a page, over all ranks. Absent is undefined: never 0, never NaN. */
export interface Signals {
  readonly running: number | undefined;
  readonly waiting: number | undefined;
  /** 0 to 1, of the fullest rank. What it means the profile's `kvUsageMeans` says. */
  readonly kvUsage: number | undefined;
  readonly kvCapacityTokens: number | undefined;
  readonly promptTokens: number | undefined;
  readonly generationTokens: number | undefined;
  readonly prefixQueries: number | undefined;
  readonly prefixHits: number | undefined;
  readonly preemptions: number | undefined;
  /** Finished requests, whatever the reason. */
  readonly successes: number | undefined;
  /** Value of the profile's progress source: moves while the engine works. */
  readonly progress: number | undefined;
  /** True while every rank sleeps. */
  readonly sleeping: boolean | undefined;
  /** When its process began, in Unix seconds, where the page names one process. */
  readonly processStartedAt: number | undefined;
  /** In the page's order. */
  readonly ranks: readonly RankSignals[];
}

export type SignalName = Exclude<keyof Signals, 'progress' | 'processStartedAt' | 'ranks'>;

/** The family each signal is read from. */
export const SIGNAL_FAMILIES: Readonly<Record<SignalName, string>> = {
  running: 'vllm:num_requests_running',
  waiting: 'vllm:num_requests_waiting',
  kvUsage: 'vllm:kv_cache_usage_perc',
  kvCapacityTokens: 'vllm:cache_config_info',
  promptTokens: 'vllm:prompt_tokens_total',
  generationTokens: 'vllm:generation_tokens_total',
  prefixQueries: 'vllm:prefix_cache_queries_total',
  prefixHits: 'vllm:prefix_cache_hits_total',
  preemptions: 'vllm:num_preemptions_total',
  successes: 'vllm:request_success_total',
  sleeping: 'vllm:engine_sleep_state',
};

const FAMILIES: ReadonlySet<string> = new Set(Object.values(SIGNAL_FAMILIES));

/** What Prometheus' clients call it, whatever the engine. */
const PROCESS_START = 'process_start_time_seconds';

const PLANS: ReadPlans = new WeakMap();

function signalPlan(profile: EngineProfile): ReadPlan {
  return readPlan(PLANS, profile, FAMILIES);
}

/** The sample names that a fast read of this kind's pages must keep; made once per engine. */
export function signalNames(profile: EngineProfile): readonly string[] {
  return [...signalPlan(profile).names, PROCESS_START];
}

/** @param samples of a whole page, or those of `signalNames` alone */
export function readSignals(profile: EngineProfile, samples: readonly Sample[]): Signals {
  const plan = signalPlan(profile);
  const index = indexPage(profile, samples, plan.names);
  const reading = readIndexed(index, plan.families);
  const number = (name: SignalName): number | undefined => combinedNumber(SIGNAL_FAMILIES[name], reading);
  return {
    running: number('running'),
    waiting: number('waiting'),
    kvUsage: number('kvUsage'),
    kvCapacityTokens: kvCapacityTokens(reading.series.get(SIGNAL_FAMILIES.kvCapacityTokens) ?? []),
    promptTokens: number('promptTokens'),
    generationTokens: number('generationTokens'),
    prefixQueries: number('prefixQueries'),
    prefixHits: number('prefixHits'),
    preemptions: number('preemptions'),
    successes: number('successes'),
    progress: readProgress(index),
    sleeping: isSleeping(reading),
    processStartedAt: readProcessStart(samples),
    ranks: rankSignals(reading),
  };
}

const PROGRESS: CatalogFamily = {
  name: 'progress',
  type: 'counter',
  unit: 'events',
  labels: [],
  help: '',
  ranks: 'sum',
};

function readProgress(index: PageIndex): number | undefined {
  const { progress } = index.profile;
  if (progress === undefined) return undefined;
  let total: number | undefined;
  for (const { value } of readSource(index, PROGRESS, progress)) {
    if (typeof value === 'number' && !Number.isNaN(value)) total = (total ?? 0) + value;
  }
  return total;
}

function readProcessStart(samples: readonly Sample[]): number | undefined {
  let found: number | undefined;
  for (const { name, value } of samples) {
    if (name !== PROCESS_START || Number.isNaN(value)) continue;
    if (found !== undefined) return undefined;
    found = value;
  }
  return found;
}

function isSleeping({ series }: Reading): boolean | undefined {
  const awake = series
    .get(SIGNAL_FAMILIES.sleeping)
    ?.filter(({ labels, value }) => labels['sleep_state'] === 'awake' && !Number.isNaN(value));
  if (awake === undefined || awake.length === 0) return undefined;
  return awake.every(({ value }) => value === 0);
}

function rankSignals(reading: Reading): readonly RankSignals[] {
  const running = numbersByRank(reading, 'running');
  const waiting = numbersByRank(reading, 'waiting');
  const kvUsage = numbersByRank(reading, 'kvUsage');
  return reading.ranks.map((rank) => ({
    rank,
    running: running.get(rank),
    waiting: waiting.get(rank),
    kvUsage: kvUsage.get(rank),
  }));
}

/** One pass for all ranks: a page may have as many ranks as series. */
function numbersByRank(reading: Reading, name: SignalName): ReadonlyMap<string, number | undefined> {
  const family = SIGNAL_FAMILIES[name];
  const byRank = new Map<string, Series[]>();
  for (const one of reading.series.get(family) ?? []) {
    const rank = one.labels['engine'] ?? '';
    const same = byRank.get(rank);
    if (same === undefined) byRank.set(rank, [one]);
    else same.push(one);
  }
  return new Map(
    Array.from(byRank, ([rank, own]) => [
      rank,
      combinedNumber(family, { ...reading, series: new Map([[family, own]]) }),
    ]),
  );
}
