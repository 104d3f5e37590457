import type { Series } from '../../../engines/reading.ts';
import { prefillRate } from '../ledger.ts';
import { type OwnMaker, type OwnSizes, series } from './own-maker.ts';

/** An 8B model at 4 bits and its cache: what a card would show while it is loaded. */
const CARD_BYTES_USED = 8e9;

export function strataOwn({ contextTokens }: OwnSizes): OwnMaker {
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
