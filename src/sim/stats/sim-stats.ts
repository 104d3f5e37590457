import type { Reading } from '../../engines/reading.ts';
import type { StepObserver } from '../driver.ts';
import type { Life } from '../life.ts';
import type { EngineEvent, FinishedEvent, TokensEvent } from '../model/engine-event.ts';
import type { EngineSnapshot } from '../model/snapshot.ts';
import { type IterationRecord, iterationRecord } from './iteration-record.ts';
import type { KindStats } from './kind-stats.ts';
import { emptyLedger, type Ledger, ratio } from './ledger.ts';
import { type RankFigures, RankGauges } from './rank-gauges.ts';
import { Tally } from './tally.ts';

export interface StatsSettings {
  readonly rules: KindStats;
  /** The kind's page of an engine at rest; empty where it has none. */
  readonly rest: Reading;
  readonly ranks: number;
  readonly contextTokens: number;
  /** Requests per rank that came and have not gone, for kinds that show the moment. */
  readonly inFlight: () => readonly number[];
  readonly maxSeqs: number;
}

/** What the kind's own families are made of. */
export interface StatsView {
  readonly ledgers: readonly Readonly<Ledger>[];
  readonly gauges: readonly RankGauges[];
  readonly figures: readonly RankFigures[];
  readonly total: Readonly<Ledger>;
}

/** Unread iteration records are dropped, oldest first, once there are so many. */
const MAX_RECORDS = 1000;

interface Step {
  computedTokens: number;
  cachedTokens: number;
  generatedTokens: number;
  finished: number;
  startMs: number | undefined;
}

const newStep = (): Step => ({
  computedTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  finished: 0,
  startMs: undefined,
});

/** Everything a simulated engine counts and measures, moved when the real one would. */
export class SimStats implements StepObserver {
  readonly #settings: StatsSettings;
  readonly #tally: Tally;
  readonly #ledgers: readonly Ledger[];
  readonly #gauges: readonly RankGauges[];
  readonly #steps: Step[];
  readonly #lastEndMs: number[];
  readonly #kvTokens: number[];
  #records: IterationRecord[] = [];

  constructor(settings: StatsSettings) {
    this.#settings = settings;
    this.#tally = new Tally(settings.rest);
    const perRank = <T>(make: () => T): T[] => Array.from({ length: settings.ranks }, make);
    this.#ledgers = perRank(emptyLedger);
    this.#gauges = perRank(() => new RankGauges(settings.rules.gaugesAt));
    this.#steps = perRank(newStep);
    this.#lastEndMs = perRank(() => 0);
    this.#kvTokens = perRank(() => 0);
  }

  onEvent(rank: number, event: EngineEvent, life: Readonly<Life> | undefined): void {
    const step = this.#steps[rank];
    const ledger = this.#ledgers[rank];
    if (step === undefined || ledger === undefined) return;
    if (event.type === 'step') this.#onStep(rank, event, step, ledger);
    else if (life !== undefined) this.#onRequest(rank, event, life, { step, ledger });
  }

  onStepEnd(rank: number, snapshot: EngineSnapshot, atMs: number): void {
    const step = this.#steps[rank];
    const gauges = this.#gauges[rank];
    const ledger = this.#ledgers[rank];
    if (step === undefined || gauges === undefined || ledger === undefined) return;
    this.#kvTokens[rank] = snapshot.kvTokensUsed;
    if (gauges.stepEnded(snapshot, step, atMs)) this.#publishRealtime(ledger, snapshot);
    if (this.#settings.rules.gaugesAt === 'completion') {
      this.#records.push(iterationRecord(snapshot, step, ledger));
      if (this.#records.length > MAX_RECORDS) this.#records.shift();
    }
    this.#lastEndMs[rank] = atMs;
    this.#steps[rank] = newStep();
  }

  /** The records since the last call: gone once read. */
  drainIterations(): readonly IterationRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  totals(): Ledger {
    const sum = emptyLedger();
    for (const ledger of this.#ledgers) {
      for (const key of ADDED) sum[key] += ledger[key];
    }
    return { ...sum, ...latest(this.#ledgers) };
  }

  /** What the gauges show, rank by rank. */
  ranks(): readonly RankFigures[] {
    const { rules, inFlight, maxSeqs, contextTokens } = this.#settings;
    if (rules.gaugesAt !== 'live') return this.#gauges.map(({ shown }) => shown);
    return inFlight().map((count, rank) => ({
      running: Math.min(count, maxSeqs),
      waiting: Math.max(0, count - maxSeqs),
      kvUsage: count === 0 ? 0 : Math.min(1, (this.#kvTokens[rank] ?? 0) / contextTokens),
      kvBlocksUsed: 0,
    }));
  }

  reading(): Reading {
    for (const [rank, { running, waiting, kvUsage }] of this.ranks().entries()) {
      this.#tally.set('vllm:num_requests_running', rank, running);
      this.#tally.set('vllm:num_requests_waiting', rank, waiting);
      this.#tally.set('vllm:num_requests_waiting_by_reason', rank, waiting, { reason: 'capacity' });
      this.#tally.set('vllm:kv_cache_usage_perc', rank, kvUsage);
    }
    return this.#tally.reading();
  }

  view(): StatsView {
    return { ledgers: this.#ledgers, gauges: this.#gauges, figures: this.ranks(), total: this.totals() };
  }

  #onStep(rank: number, event: Extract<EngineEvent, { type: 'step' }>, step: Step, ledger: Ledger): void {
    const { computedTokens, generatedTokens, batchSequences, atMs } = event;
    step.computedTokens = computedTokens;
    step.generatedTokens = generatedTokens;
    ledger.steps += 1;
    ledger.stepSequences += batchSequences;
    // A step begins where the last one ended, or with the first request after a pause.
    const startMs = step.startMs ?? this.#lastEndMs[rank] ?? atMs;
    ledger.lastStepSeconds = (atMs - startMs) / 1000;
    this.#tally.observe('vllm:iteration_tokens_total', rank, computedTokens + generatedTokens);
  }

  #onRequest(
    rank: number,
    event: Exclude<EngineEvent, { type: 'step' }>,
    life: Readonly<Life>,
    { step, ledger }: { step: Step; ledger: Ledger },
  ): void {
    const { rules } = this.#settings;
    if (event.type === 'queued') step.startMs = event.atMs;
    else if (event.type === 'scheduled') {
      step.startMs = event.atMs;
      step.cachedTokens += event.cachedTokens;
      if (event.first && rules.lookupsAt === 'scheduled') {
        this.#lookups(rank, event.queriedTokens, event.cachedTokens);
      }
    } else if (event.type === 'preempted') this.#tally.add('vllm:num_preemptions_total', rank, 1);
    else if (event.type === 'prefilled') {
      ledger.promptSeconds += (event.atMs - (life.scheduledMs ?? event.atMs)) / 1000;
      if (rules.promptAt === 'prefill') this.#prompt(rank, life, ledger);
    } else if (event.type === 'tokens') this.#tokens(rank, event, life, ledger);
    else this.#finished(rank, event, life, step, ledger);
  }

  #lookups(rank: number, queries: number, hits: number): void {
    this.#tally.add('vllm:prefix_cache_queries_total', rank, queries);
    this.#tally.add('vllm:prefix_cache_hits_total', rank, hits);
  }

  #prompt(rank: number, life: Readonly<Life>, ledger: Ledger): void {
    const { promptTokens } = life.work;
    const { cachedTokens } = life;
    const bySource = (source: string, tokens: number): void =>
      this.#tally.add('vllm:prompt_tokens_by_source_total', rank, tokens, { source });
    this.#tally.add('vllm:prompt_tokens_total', rank, promptTokens);
    this.#tally.add('vllm:prompt_tokens_cached_total', rank, cachedTokens);
    bySource('local_compute', promptTokens - cachedTokens);
    bySource('local_cache_hit', cachedTokens);
    if (this.#settings.rules.lookupsAt === 'prompt') this.#lookups(rank, promptTokens, cachedTokens);
    ledger.promptTokens += promptTokens;
    ledger.cachedTokens += cachedTokens;
  }

  #tokens(
    rank: number,
    { count, firstToken, atMs }: TokensEvent,
    life: Readonly<Life>,
    ledger: Ledger,
  ): void {
    const { rules } = this.#settings;
    const length = life.work.promptTokens + life.tokens + count;
    ledger.longestSequence = Math.max(ledger.longestSequence, length);
    if (rules.generationAt === 'token') this.#tally.add('vllm:generation_tokens_total', rank, count);
    if (rules.latencyAt !== 'token') return;
    if (firstToken) {
      this.#tally.observe('vllm:time_to_first_token_seconds', rank, (atMs - life.arrivedMs) / 1000);
    } else {
      const gap = (atMs - (life.lastTokenMs ?? atMs)) / 1000;
      this.#tally.observe('vllm:inter_token_latency_seconds', rank, gap);
    }
  }

  #finished(rank: number, event: FinishedEvent, life: Readonly<Life>, step: Step, ledger: Ledger): void {
    const { rules } = this.#settings;
    const aborted = event.reason === 'abort';
    if (!aborted || rules.countsAborts) {
      this.#tally.add('vllm:request_success_total', rank, 1, { finished_reason: event.reason });
    }
    if (aborted) {
      ledger.aborted += 1;
      return;
    }
    step.finished += 1;
    ledger.finished += 1;
    if (rules.promptAt === 'finish') this.#prompt(rank, life, ledger);
    if (rules.generationAt === 'finish') {
      this.#tally.add('vllm:generation_tokens_total', rank, event.outputTokens);
    }
    ledger.outputTokens += event.outputTokens;
    ledger.lastHitRate = ratio(life.cachedTokens, event.promptTokens);
    this.#latencies(rank, event, life, ledger);
    this.#sizes(rank, event, life);
  }

  #latencies(rank: number, event: FinishedEvent, life: Readonly<Life>, ledger: Ledger): void {
    const { rules } = this.#settings;
    const scheduledMs = life.scheduledMs ?? event.atMs;
    const firstMs = life.firstTokenMs ?? event.atMs;
    const lastMs = life.lastTokenMs ?? event.atMs;
    const observe = (family: string, ms: number, times = 1): void =>
      this.#tally.observe(family, rank, ms / 1000, times);
    const gaps = event.outputTokens - 1;
    const decodeMs = lastMs - firstMs;
    ledger.decodeSeconds += decodeMs / 1000;
    if (gaps > 0) ledger.lastDecodeRate = ratio(gaps * 1000, decodeMs);
    if (rules.latencyAt === 'finish') {
      observe('vllm:time_to_first_token_seconds', firstMs - life.arrivedMs);
      if (rules.gaps === 'mean') observe('vllm:inter_token_latency_seconds', ratio(decodeMs, gaps), gaps);
    }
    if (gaps > 0) observe('vllm:request_time_per_output_token_seconds', decodeMs / gaps);
    observe('vllm:e2e_request_latency_seconds', event.atMs - life.arrivedMs);
    observe('vllm:request_queue_time_seconds', scheduledMs - life.arrivedMs);
    observe('vllm:request_prefill_time_seconds', firstMs - scheduledMs);
    observe('vllm:request_decode_time_seconds', decodeMs);
    observe('vllm:request_inference_time_seconds', lastMs - scheduledMs);
  }

  #sizes(rank: number, { promptTokens, outputTokens }: FinishedEvent, life: Readonly<Life>): void {
    const observe = (family: string, value: number): void => this.#tally.observe(family, rank, value);
    observe('vllm:request_prompt_tokens', promptTokens);
    observe('vllm:request_generation_tokens', outputTokens);
    observe('vllm:request_max_num_generation_tokens', outputTokens);
    observe('vllm:request_params_max_tokens', life.work.maxTokens);
    observe('vllm:request_params_n', 1);
    observe('vllm:request_prefill_kv_computed_tokens', promptTokens - life.cachedTokens);
    observe('vllm:request_num_preemptions', life.preemptions);
  }

  /** SGLang's live counters go out with its gauges. */
  #publishRealtime({ realtime }: Ledger, { counters }: EngineSnapshot): void {
    realtime.computed = counters.computedTokens;
    realtime.cached = counters.cachedTokens;
    realtime.decoded = counters.generatedTokens;
  }
}

const ADDED = [
  'finished',
  'aborted',
  'steps',
  'stepSequences',
  'promptTokens',
  'cachedTokens',
  'outputTokens',
  'promptSeconds',
  'decodeSeconds',
] as const;

function latest(ledgers: readonly Ledger[]): Partial<Ledger> {
  const last = ledgers.at(-1);
  if (last === undefined) return {};
  const { lastHitRate, lastDecodeRate, lastStepSeconds, longestSequence } = last;
  return { lastHitRate, lastDecodeRate, lastStepSeconds, longestSequence };
}
