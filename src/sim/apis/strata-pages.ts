import { writeText } from '../../exposition/write-text.ts';
import { prefillRate, ratio } from '../stats/ledger.ts';
import type { ApiContext } from './api.ts';

export const strataVersion = '0.1.30';

/** `/metrics` as JSON, its default. Times in `totals` are milliseconds. */
export function recordOf({ model, contextTokens, stats, driver, clock }: ApiContext): object {
  const { figures, total } = stats.view();
  const [figure] = figures;
  const busy = (figure?.running ?? 0) > 0;
  const current = driver.sequences().find(({ phase }) => phase !== 'waiting');
  return {
    engine: { model, max_context: contextTokens, images: false },
    live: {
      state: busy ? (current?.phase === 'prefilling' ? 'reading' : 'generating') : 'idle',
      queued: figure?.waiting ?? 0,
      phase: busy ? (current?.phase === 'prefilling' ? 'prefill' : 'decode') : null,
      prompt_tokens: current?.promptTokens ?? 0,
      prompt_read: current === undefined ? 0 : Math.min(current.computedTokens, current.promptTokens),
      prompt_total: current?.promptTokens ?? 0,
      generated: current?.generatedTokens ?? 0,
      tok_s: busy ? total.lastDecodeRate : 0,
      tok_s_mean: ratio(total.outputTokens, total.decodeSeconds),
      prefill_tok_s_mean: prefillRate(total),
      tok_s_window_s: 5,
    },
    requests: [],
    requests_kept: total.finished,
    totals: {
      requests: total.finished,
      prompt_tokens: total.promptTokens,
      reused: total.cachedTokens,
      output_tokens: total.outputTokens,
      prompt_ms: total.promptSeconds * 1000,
      decode_ms: total.decodeSeconds * 1000,
      drafts_offered: total.draftedTokens,
      drafts_accepted: total.acceptedTokens,
      ended_inside_thinking: 0,
    },
    hardware: {},
    hardware_static: { gpu_name: 'simulated', gpu_count: 1 },
    history: {},
    time: clock.wallTime() / 1000,
  };
}

/** `/metrics/prometheus`: llama.cpp's names and four of its own, without labels. */
export function llamaCppForm({ stats }: ApiContext): string {
  const { figures, total } = stats.view();
  const [figure] = figures;
  const values: readonly (readonly [string, 'counter' | 'gauge', number])[] = [
    ['llamacpp:prompt_tokens_total', 'counter', total.promptTokens - total.cachedTokens],
    ['llamacpp:prompt_seconds_total', 'counter', total.promptSeconds],
    ['llamacpp:tokens_predicted_total', 'counter', total.outputTokens],
    ['llamacpp:tokens_predicted_seconds_total', 'counter', total.decodeSeconds],
    ['llamacpp:prompt_tokens_seconds', 'gauge', prefillRate(total)],
    ['llamacpp:predicted_tokens_seconds', 'gauge', total.lastDecodeRate],
    ['llamacpp:requests_processing', 'gauge', figure?.running ?? 0],
    ['llamacpp:requests_deferred', 'gauge', figure?.waiting ?? 0],
    ['strata:requests_total', 'counter', total.finished],
    ['strata:drafts_offered_total', 'counter', total.draftedTokens],
    ['strata:drafts_accepted_total', 'counter', total.acceptedTokens],
    ['strata:model_loaded', 'gauge', 1],
  ];
  return writeText(
    values.map(([name, type, value]) => ({ name, type, samples: [{ name, labels: {}, value }] })),
  );
}
