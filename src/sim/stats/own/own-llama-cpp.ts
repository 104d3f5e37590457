import { type Ledger, ratio } from '../ledger.ts';
import type { OwnMaker } from './own-maker.ts';

/** Two of its gauges are means since the previous page. */
export function llamaCppOwn(): OwnMaker {
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
