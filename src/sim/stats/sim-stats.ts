import type { Reading } from '../../engines/reading.ts';
import type { StepObserver } from '../driver.ts';
import type { Life } from '../life.ts';
import type { EvictedEvent, RequestEvent, StepEvent } from '../model/engine-event.ts';
import type { EngineSnapshot } from '../model/snapshot.ts';
import { AdapterUse } from './adapter-use.ts';
import { type IterationRecord, iterationRecord } from './iteration-record.ts';
import type { KindStats } from './kind-stats.ts';
import { emptyLedger, type Ledger, sumOf } from './ledger.ts';
import { type RankFigures, RankGauges } from './rank-gauges.ts';
import { RequestMeter } from './request-meter.ts';
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
  /** How many adapters it has loaded. */
  readonly adapters: number;
  readonly wallSeconds: () => number;
}

/** What the kind's own families are made of. */
export interface StatsView {
  readonly ledgers: readonly Readonly<Ledger>[];
  readonly gauges: readonly RankGauges[];
  readonly figures: readonly RankFigures[];
  /** Requests per rank that lost their blocks and wait to begin again. */
  readonly preempted: readonly number[];
  readonly total: Readonly<Ledger>;
}

/** Unread iteration records are dropped, oldest first, once there are so many. */
const MAX_RECORDS = 1000;

interface Step {
  computedTokens: number;
  cachedTokens: number;
  generatedTokens: number;
  outputs: number;
  finished: number;
  startMs: number | undefined;
}

const newStep = (): Step => ({
  computedTokens: 0,
  cachedTokens: 0,
  generatedTokens: 0,
  outputs: 0,
  finished: 0,
  startMs: undefined,
});

/** Everything a simulated engine counts and measures, moved when the real one would. */
export class SimStats implements StepObserver {
  readonly #settings: StatsSettings;
  readonly #tally: Tally;
  readonly #ledgers: readonly Ledger[];
  readonly #meters: readonly RequestMeter[];
  readonly #gauges: readonly RankGauges[];
  readonly #adapters: readonly AdapterUse[];
  readonly #preempted: readonly Set<string>[];
  readonly #steps: Step[];
  readonly #lastEndMs: number[];
  readonly #kvTokens: number[];
  #records: IterationRecord[] = [];

  constructor(settings: StatsSettings) {
    this.#settings = settings;
    this.#tally = new Tally(settings.rest);
    const perRank = <T>(make: () => T): T[] => Array.from({ length: settings.ranks }, make);
    this.#ledgers = perRank(emptyLedger);
    this.#meters = this.#ledgers.map(
      (ledger, rank) => new RequestMeter(this.#tally, settings.rules, rank, ledger),
    );
    this.#gauges = perRank(() => new RankGauges(settings.rules));
    this.#adapters = perRank(() => new AdapterUse());
    this.#preempted = perRank(() => new Set<string>());
    this.#steps = perRank(newStep);
    this.#lastEndMs = perRank(() => 0);
    this.#kvTokens = perRank(() => 0);
  }

  onRequest(rank: number, event: RequestEvent, life: Readonly<Life>): void {
    const step = this.#steps[rank];
    const meter = this.#meters[rank];
    if (step === undefined || meter === undefined) return;
    if (life.work.adapter !== undefined) this.#adapters[rank]?.note(event, life.work.adapter);
    if (event.type === 'preempted') this.#preempted[rank]?.add(event.id);
    else if (event.type === 'scheduled' || event.type === 'finished') this.#preempted[rank]?.delete(event.id);
    this.#onRequest(event, life, { step, meter });
  }

  onEngine(rank: number, event: StepEvent | EvictedEvent): void {
    const step = this.#steps[rank];
    const ledger = this.#ledgers[rank];
    if (step === undefined || ledger === undefined) return;
    if (event.type === 'step') this.#onStep(rank, event, step, ledger);
    else this.#onEvicted(rank, event);
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
    this.#noteAdapters(rank);
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
    return sumOf(this.#ledgers);
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
    return {
      ledgers: this.#ledgers,
      gauges: this.#gauges,
      figures: this.ranks(),
      preempted: this.#preempted.map(({ size }) => size),
      total: this.totals(),
    };
  }

  #onStep(rank: number, event: StepEvent, step: Step, ledger: Ledger): void {
    const { computedTokens, generatedTokens, batchSequences, atMs } = event;
    step.computedTokens = computedTokens;
    step.generatedTokens = generatedTokens;
    ledger.steps += 1;
    ledger.stepSequences += batchSequences;
    // A step begins where the last one ended, or with the first request after a pause.
    const startMs = step.startMs ?? this.#lastEndMs[rank] ?? atMs;
    ledger.lastStepSeconds = (atMs - startMs) / 1000;
    this.#tally.observe('vllm:iteration_tokens_total', rank, computedTokens + generatedTokens);
    const method = computedTokens > 0 ? 'prefill' : 'decode';
    this.#tally.observe('tgi_batch_inference_duration', rank, ledger.lastStepSeconds, 1, { method });
  }

  #onRequest(
    event: RequestEvent,
    life: Readonly<Life>,
    { step, meter }: { step: Step; meter: RequestMeter },
  ): void {
    switch (event.type) {
      case 'queued':
        step.startMs = event.atMs;
        meter.queued();
        return;
      case 'scheduled':
        step.startMs = event.atMs;
        step.cachedTokens += event.cachedTokens;
        meter.scheduled(event);
        return;
      case 'preempted':
        meter.preempted();
        return;
      case 'prefilled':
        meter.prefilled({ ...event, life });
        return;
      case 'tokens':
        step.outputs += 1;
        meter.tokens({ ...event, life });
        return;
      case 'finished':
        if (event.reason === 'stop' || event.reason === 'length') step.finished += 1;
        meter.finished({ ...event, life });
    }
  }

  #onEvicted(rank: number, { lifetimeMs, idleMs, reuseGapsMs }: EvictedEvent): void {
    this.#tally.observe('vllm:kv_block_lifetime_seconds', rank, lifetimeMs / 1000);
    this.#tally.observe('vllm:kv_block_idle_before_evict_seconds', rank, idleMs / 1000);
    for (const gapMs of reuseGapsMs) {
      this.#tally.observe('vllm:kv_block_reuse_gap_seconds', rank, gapMs / 1000);
    }
  }

  /** vLLM says it anew with each step, and leaves what it said before where it is: the newest is true. */
  #noteAdapters(rank: number): void {
    const use = this.#adapters[rank];
    const { adapters, wallSeconds } = this.#settings;
    if (adapters === 0 || use === undefined) return;
    this.#tally.set('vllm:lora_requests_info', rank, wallSeconds(), {
      max_lora: String(adapters),
      running_lora_adapters: use.running,
      waiting_lora_adapters: use.waiting,
    });
  }

  /** SGLang's live counters go out with its gauges. */
  #publishRealtime({ realtime }: Ledger, { counters }: EngineSnapshot): void {
    realtime.computed = counters.computedTokens;
    realtime.cached = counters.cachedTokens;
    realtime.decoded = counters.generatedTokens;
  }
}
