import type { Series } from '../../../engines/reading.ts';
import { type Ledger, ratio } from '../ledger.ts';
import { type OwnMaker, type OwnSizes, series } from './own-maker.ts';

export function sglangOwn({ kvTokens, blockTokens, maxSeqs }: OwnSizes): OwnMaker {
  const pages = Math.floor(kvTokens / blockTokens);
  return ({ figures, gauges, ledgers, preempted, total }) => {
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
      'sglang:spec_accept_length': each((rank) => acceptLength(ledgers[rank])),
      'sglang:spec_accept_rate': each((rank) =>
        ratio(ledgers[rank]?.acceptedTokens ?? 0, ledgers[rank]?.draftedTokens ?? 0),
      ),
      'sglang:num_retracted_reqs': each((rank) => preempted[rank] ?? 0),
      'sglang:realtime_tokens_total': ledgers.flatMap(({ realtime }, rank) => [
        series(rank, realtime.computed, { mode: 'prefill_compute' }),
        series(rank, realtime.cached, { mode: 'prefill_cache' }),
        series(rank, realtime.decoded, { mode: 'decode' }),
      ]),
      'sglang:num_aborted_requests_total': total.aborted + total.failed,
    };
  };
}

/** With the token that each step gives anyway; 0 before the first draft. */
function acceptLength(ledger: Readonly<Ledger> | undefined): number {
  return ledger === undefined || ledger.drafts === 0 ? 0 : 1 + ledger.acceptedTokens / ledger.drafts;
}
