import type { Result } from './answer-manner.ts';

/** llama.cpp's timings of one request; cached tokens are not in `prompt_n`. */
export function timingsOf({ usage, life }: Result): Readonly<Record<string, number>> {
  const promptN = usage.promptTokens - usage.cachedTokens;
  const predictedN = usage.completionTokens;
  const firstMs = life.firstTokenMs ?? life.arrivedMs;
  const promptMs = firstMs - (life.scheduledMs ?? life.arrivedMs);
  const predictedMs = (life.lastTokenMs ?? firstMs) - firstMs;
  return {
    cache_n: usage.cachedTokens,
    prompt_n: promptN,
    prompt_ms: promptMs,
    prompt_per_token_ms: ratio(promptMs, promptN),
    prompt_per_second: ratio(promptN * 1000, promptMs),
    predicted_n: predictedN,
    predicted_ms: predictedMs,
    // The first token comes with the prompt: one gap fewer than tokens.
    predicted_per_token_ms: ratio(predictedMs, predictedN - 1),
    predicted_per_second: ratio((predictedN - 1) * 1000, predictedMs),
  };
}

function ratio(part: number, whole: number): number {
  return whole > 0 ? part / whole : 0;
}
