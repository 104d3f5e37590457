import type { Sample } from '../exposition/exposition.ts';
import { combinedNumber } from './combine.ts';
import { kvCapacityTokens } from './kv-capacity.ts';
import { indexPage } from './page-index.ts';
import type { EngineProfile } from './profile.ts';
import { readSamples } from './read.ts';
import { readSource } from './read-source.ts';
import type { Reading } from './reading.ts';
import { sampleNames } from './sample-names.ts';

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
  /** In the page's order. */
  readonly ranks: readonly RankSignals[];
}

export type SignalName = Exclude<keyof Signals, 'progress' | 'ranks'>;

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

/** The sample names that a fast read of this kind's pages must keep; made once per engine. */
export function signalNames(profile: EngineProfile): readonly string[] {
  return sampleNames(profile, FAMILIES);
}

/** @param samples of a whole page, or those of `signalNames` alone */
export function readSignals(profile: EngineProfile, samples: readonly Sample[]): Signals {
  const reading = readSamples(profile, samples, FAMILIES);
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
    progress: readProgress(profile, samples),
    sleeping: isSleeping(reading),
    ranks: reading.ranks.map((rank) => rankSignals(reading, rank)),
  };
}

function readProgress(profile: EngineProfile, samples: readonly Sample[]): number | undefined {
  const { progress } = profile;
  if (progress === undefined) return undefined;
  const index = indexPage(profile, samples, new Set(sampleNames(profile, [])));
  const family = {
    name: 'progress',
    type: 'counter',
    unit: 'events',
    labels: [],
    help: '',
    ranks: 'sum',
  } as const;
  const values = readSource(index, family, progress).map(({ value }) => Number(value));
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}

function isSleeping({ series }: Reading): boolean | undefined {
  const awake = series
    .get(SIGNAL_FAMILIES.sleeping)
    ?.filter(({ labels, value }) => labels['sleep_state'] === 'awake' && !Number.isNaN(value));
  if (awake === undefined || awake.length === 0) return undefined;
  return awake.every(({ value }) => value === 0);
}

function rankSignals(reading: Reading, rank: string): RankSignals {
  const series = new Map(
    [...reading.series].map(([name, all]) => [name, all.filter(({ labels }) => labels['engine'] === rank)]),
  );
  const number = (name: SignalName): number | undefined =>
    combinedNumber(SIGNAL_FAMILIES[name], { ...reading, series });
  return { rank, running: number('running'), waiting: number('waiting'), kvUsage: number('kvUsage') };
}
