import type { Life } from '../life.ts';
import type { FinishedEvent, PrefilledEvent, ScheduledEvent, TokensEvent } from '../model/engine-event.ts';
import type { KindStats } from './kind-stats.ts';
import { type Ledger, ratio } from './ledger.ts';
import type { Tally } from './tally.ts';

type Of<Event> = Event & { readonly life: Readonly<Life> };

/** Counts and measures the requests of one rank, each figure when the kind's own would move. */
export class RequestMeter {
  readonly #tally: Tally;
  readonly #rules: KindStats;
  readonly #rank: number;
  readonly #ledger: Ledger;

  constructor(tally: Tally, rules: KindStats, rank: number, ledger: Ledger) {
    this.#tally = tally;
    this.#rules = rules;
    this.#rank = rank;
    this.#ledger = ledger;
  }

  queued(): void {
    this.#ledger.received += 1;
    // Its tokeniser takes no simulated time: what it does is that a request went through it.
    this.#observe('tgi_request_validation_duration', 0);
  }

  scheduled({ first, queriedTokens, cachedTokens }: ScheduledEvent): void {
    if (first) {
      this.#ledger.lookups += 1;
      if (cachedTokens > 0) this.#ledger.hits += 1;
    }
    if (first && this.#rules.lookupsAt === 'scheduled') this.#lookups(queriedTokens, cachedTokens);
  }

  preempted(): void {
    this.#ledger.preemptions += 1;
    this.#add('vllm:num_preemptions_total', 1);
  }

  prefilled({ atMs, life }: Of<PrefilledEvent>): void {
    this.#ledger.promptSeconds += (atMs - (life.scheduledMs ?? atMs)) / 1000;
    if (this.#rules.promptAt === 'prefill') this.#prompt(life);
  }

  tokens(event: Of<TokensEvent>): void {
    const { count, firstToken, atMs, life } = event;
    this.#drafts(event);
    const length = life.work.promptTokens + life.tokens + count;
    this.#ledger.longestSequence = Math.max(this.#ledger.longestSequence, length);
    if (this.#rules.generationAt === 'token') this.#add('vllm:generation_tokens_total', count);
    if (this.#rules.latencyAt !== 'token') return;
    if (firstToken) this.#observeMs('vllm:time_to_first_token_seconds', atMs - life.arrivedMs);
    else this.#observeMs('vllm:inter_token_latency_seconds', atMs - (life.lastTokenMs ?? atMs));
  }

  finished(event: Of<FinishedEvent>): void {
    const aborted = event.reason === 'abort';
    if (this.#rules.counts.includes(event.reason)) {
      this.#add('vllm:request_success_total', 1, { finished_reason: event.reason });
    }
    if (aborted || event.reason === 'error') {
      this.#ledger[aborted ? 'aborted' : 'failed'] += 1;
      return;
    }
    this.#ledger.finished += 1;
    this.#ledger.outputTokens += event.outputTokens;
    this.#ledger.lastHitRate = ratio(event.life.cachedTokens, event.promptTokens);
    if (this.#rules.promptAt === 'finish') this.#prompt(event.life);
    if (this.#rules.generationAt === 'finish') this.#add('vllm:generation_tokens_total', event.outputTokens);
    this.#latencies(event);
    this.#sizes(event);
  }

  #drafts({ draftedTokens, count }: TokensEvent): void {
    if (draftedTokens === 0) return;
    const accepted = count - 1;
    this.#ledger.drafts += 1;
    this.#ledger.draftedTokens += draftedTokens;
    this.#ledger.acceptedTokens += accepted;
    this.#add('vllm:spec_decode_num_drafts_total', 1);
    this.#add('vllm:spec_decode_num_draft_tokens_total', draftedTokens);
    this.#add('vllm:spec_decode_num_accepted_tokens_total', accepted);
    for (let position = 0; position < accepted; position += 1) {
      this.#add('vllm:spec_decode_num_accepted_tokens_per_pos_total', 1, { position: String(position) });
    }
  }

  #lookups(queries: number, hits: number): void {
    this.#add('vllm:prefix_cache_queries_total', queries);
    this.#add('vllm:prefix_cache_hits_total', hits);
  }

  #prompt({ work: { promptTokens }, cachedTokens }: Readonly<Life>): void {
    const bySource = 'vllm:prompt_tokens_by_source_total';
    const counted = this.#rules.countsCached ? promptTokens : promptTokens - cachedTokens;
    this.#add('vllm:prompt_tokens_total', counted);
    this.#add('vllm:prompt_tokens_cached_total', cachedTokens);
    this.#add(bySource, promptTokens - cachedTokens, { source: 'local_compute' });
    this.#add(bySource, cachedTokens, { source: 'local_cache_hit' });
    if (this.#rules.lookupsAt === 'prompt') this.#lookups(promptTokens, cachedTokens);
    this.#ledger.promptTokens += promptTokens;
    this.#ledger.cachedTokens += cachedTokens;
  }

  #latencies({ atMs, outputTokens, life }: Of<FinishedEvent>): void {
    const scheduledMs = life.scheduledMs ?? atMs;
    const firstMs = life.firstTokenMs ?? atMs;
    const lastMs = life.lastTokenMs ?? atMs;
    const decodeMs = lastMs - firstMs;
    const gaps = outputTokens - 1;
    this.#ledger.decodeSeconds += decodeMs / 1000;
    this.#ledger.requestSeconds += (atMs - life.arrivedMs) / 1000;
    this.#ledger.queueSeconds += (scheduledMs - life.arrivedMs) / 1000;
    this.#ledger.inferenceSeconds += (lastMs - scheduledMs) / 1000;
    if (gaps > 0) this.#ledger.lastDecodeRate = ratio(gaps * 1000, decodeMs);
    if (this.#rules.latencyAt === 'finish') {
      this.#observeMs('vllm:time_to_first_token_seconds', firstMs - life.arrivedMs);
      this.#observeMs('vllm:inter_token_latency_seconds', ratio(decodeMs, gaps), gaps);
    }
    this.#observeMs('vllm:request_time_per_output_token_seconds', ratio(decodeMs, gaps), gaps > 0 ? 1 : 0);
    this.#observeMs('vllm:e2e_request_latency_seconds', atMs - life.arrivedMs);
    this.#observeMs('vllm:request_queue_time_seconds', scheduledMs - life.arrivedMs);
    this.#observeMs('vllm:request_prefill_time_seconds', firstMs - scheduledMs);
    this.#observeMs('vllm:request_decode_time_seconds', decodeMs);
    this.#observeMs('vllm:request_inference_time_seconds', lastMs - scheduledMs);
  }

  #sizes({ promptTokens, outputTokens, life }: Of<FinishedEvent>): void {
    this.#observe('vllm:request_prompt_tokens', promptTokens);
    this.#observe('vllm:request_generation_tokens', outputTokens);
    this.#observe('vllm:request_max_num_generation_tokens', outputTokens);
    this.#observe('vllm:request_params_max_tokens', life.work.maxTokens);
    this.#observe('vllm:request_params_n', 1);
    this.#observe('vllm:request_prefill_kv_computed_tokens', promptTokens - life.cachedTokens);
    this.#observe('vllm:request_num_preemptions', life.preemptions);
  }

  #add(family: string, amount: number, own: Readonly<Record<string, string>> = {}): void {
    this.#tally.add(family, this.#rank, amount, own);
  }

  #observe(family: string, value: number, times = 1): void {
    this.#tally.observe(family, this.#rank, value, times);
  }

  #observeMs(family: string, ms: number, times = 1): void {
    this.#observe(family, ms / 1000, times);
  }
}
