import type { Series } from '../../engines/reading.ts';
import type { OwnValues } from '../../engines/write-own.ts';
import type { Labels } from '../../exposition/exposition.ts';
import { type Ledger, ratio } from './ledger.ts';
import type { StatsView } from './sim-stats.ts';

/** What does not change while the engine runs. */
export interface OwnSizes {
  /** Per rank. */
  readonly kvTokens: number;
  readonly blockTokens: number;
  readonly maxSeqs: number;
  readonly contextTokens: number;
}

/** One kind's own families. Called once for each page: some kinds count from page to page. */
export type OwnMaker = (view: StatsView) => OwnValues;

export function ownMakerOf(kind: string, sizes: OwnSizes): OwnMaker {
  const makers: Readonly<Record<string, (sizes: OwnSizes) => OwnMaker>> = {
    sglang: sglangOwn,
    trtllm: trtllmOwn,
    'llama-cpp': llamaCppOwn,
    strata: strataOwn,
  };
  return makers[kind]?.(sizes) ?? (() => ({}));
}

function sglangOwn({ kvTokens, blockTokens, maxSeqs }: OwnSizes): OwnMaker {
  const pages = Math.floor(kvTokens / blockTokens);
  return ({ figures, gauges, ledgers, total }) => {
    const each = (value: (rank: number) => number): readonly Series[] =>
      figures.map((_, rank) => series(rank, value(rank)));
    const kvUsage = (rank: number): number => figures[rank]?.kvUsage ?? 0;
    return {
      'sglang:full_token_usage': each(kvUsage),
      'sglang:num_used_tokens': each((rank) => Math.round(kvUsage(rank) * pages * blockTokens)),
      'sglang:max_total_num_tokens': each(() => pages * blockTokens),
      'sglang:page_size': each(() => blockTokens),
      'sglang:num_pages': each(() => pages),
      'sglang:cache_hit_rate': each((rank) => gauges[rank]?.hitRate ?? 0),
      'sglang:gen_throughput': each((rank) => gauges[rank]?.throughput ?? 0),
      'sglang:utilization': each((rank) => ratio(figures[rank]?.running ?? 0, maxSeqs)),
      'sglang:fwd_occupancy': each(() => Number.NaN),
      'sglang:realtime_tokens_total': ledgers.flatMap(({ realtime }, rank) => [
        series(rank, realtime.computed, { mode: 'prefill_compute' }),
        series(rank, realtime.cached, { mode: 'prefill_cache' }),
        series(rank, realtime.decoded, { mode: 'decode' }),
      ]),
      'sglang:num_aborted_requests_total': total.aborted,
    };
  };
}

function trtllmOwn({ kvTokens, blockTokens, maxSeqs }: OwnSizes): OwnMaker {
  const blocks = Math.floor(kvTokens / blockTokens);
  return ({ figures, total }) => {
    const used = figures[0]?.kvBlocksUsed ?? 0;
    return {
      trtllm_kv_cache_hit_rate: ratio(total.cachedTokens, total.promptTokens),
      trtllm_num_requests_completed_total: total.finished,
      trtllm_max_num_active_requests: maxSeqs,
      trtllm_kv_cache_max_blocks: blocks,
      trtllm_kv_cache_free_blocks: blocks - used,
      trtllm_kv_cache_used_blocks: used,
      trtllm_kv_cache_tokens_per_block: blockTokens,
      trtllm_iteration_latency_seconds: total.lastStepSeconds,
    };
  };
}

/** Two of its gauges are means since the previous page. */
function llamaCppOwn(): OwnMaker {
  let before: Pick<
    Ledger,
    'promptTokens' | 'cachedTokens' | 'outputTokens' | 'promptSeconds' | 'decodeSeconds'
  > = {
    promptTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    promptSeconds: 0,
    decodeSeconds: 0,
  };
  return ({ total }) => {
    const since = (key: keyof typeof before): number => total[key] - before[key];
    const own = {
      'llamacpp:prompt_seconds_total': total.promptSeconds,
      'llamacpp:tokens_predicted_seconds_total': total.decodeSeconds,
      'llamacpp:n_decode_total': total.steps,
      'llamacpp:n_tokens_max': total.longestSequence,
      'llamacpp:prompt_tokens_seconds': ratio(
        since('promptTokens') - since('cachedTokens'),
        since('promptSeconds'),
      ),
      'llamacpp:predicted_tokens_seconds': ratio(since('outputTokens'), since('decodeSeconds')),
      'llamacpp:n_busy_slots_per_decode': ratio(total.stepSequences, total.steps),
    };
    before = total;
    return own;
  };
}

/** An 8B model at 4 bits and its cache: what a card would show while it is loaded. */
const CARD_BYTES_USED = 8e9;

function strataOwn({ contextTokens }: OwnSizes): OwnMaker {
  return ({ figures, total }) => {
    const busy = figures.some(({ running }) => running > 0);
    const state = (name: string): Series => {
      const now = busy ? 'generating' : 'idle';
      return series(0, name === now ? 1 : 0, { state: name });
    };
    return {
      'strata:live_state': ['unloaded', 'idle', 'reading', 'generating'].map(state),
      'strata:live_tok_s': busy ? total.lastDecodeRate : 0,
      'strata:live_prefill_tok_s_mean': prefillRate(total),
      'strata:engine_max_context': contextTokens,
      'strata:last_hit_rate': total.lastHitRate,
      'strata:last_decode_tok_s': total.lastDecodeRate,
      'strata:totals_prompt_seconds_total': total.promptSeconds,
      'strata:totals_decode_seconds_total': total.decodeSeconds,
      'strata:gpu_util': [series(0, busy ? 96 : 0, { gpu: '0' })],
      'strata:gpu_mem_used_bytes': [series(0, CARD_BYTES_USED, { gpu: '0' })],
      'strata:cpu': busy ? 12 : 1,
    };
  };
}

export function prefillRate({ promptTokens, cachedTokens, promptSeconds }: Readonly<Ledger>): number {
  return ratio(promptTokens - cachedTokens, promptSeconds);
}

function series(rank: number, value: number, own: Labels = {}): Series {
  return { labels: { engine: String(rank), ...own }, value };
}
