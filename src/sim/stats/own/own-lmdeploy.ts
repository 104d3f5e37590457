import { ratio } from '../ledger.ts';
import { type OwnMaker, series } from './own-maker.ts';

export function lmdeployOwn(): OwnMaker {
  return ({ figures, ledgers }) => {
    const each = (value: (rank: number) => number) => ledgers.map((_, rank) => series(rank, value(rank)));
    const drafts = ledgers.some((ledger) => ledger.drafts > 0);
    return {
      'lmdeploy:num_requests_succeeded': each((rank) => ledgers[rank]?.finished ?? 0),
      'lmdeploy:num_requests_failed': each((rank) => ledgers[rank]?.failed ?? 0),
      'lmdeploy:num_api_requests_routed': each(
        (rank) => (figures[rank]?.running ?? 0) + (figures[rank]?.waiting ?? 0),
      ),
      'lmdeploy:prefix_cache_hit_rate': each((rank) =>
        ratio(ledgers[rank]?.cachedTokens ?? 0, ledgers[rank]?.promptTokens ?? 0),
      ),
      ...(drafts
        ? {
            'lmdeploy:spec_decode_mean_accept_rate': each((rank) =>
              ratio(ledgers[rank]?.acceptedTokens ?? 0, ledgers[rank]?.draftedTokens ?? 0),
            ),
            'lmdeploy:spec_decode_mean_accept_length': each((rank) =>
              ratio(ledgers[rank]?.acceptedTokens ?? 0, ledgers[rank]?.drafts ?? 0),
            ),
          }
        : {}),
    };
  };
}
