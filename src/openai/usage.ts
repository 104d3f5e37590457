import { field, isObject, nonNegative } from './json.ts';

/** Tokens as the engine counted them; each is absent where the engine does not say. */
export interface Usage {
  readonly promptTokens: number | undefined;
  readonly completionTokens: number | undefined;
  /** Part of the prompt that was found in the engine's prefix cache. */
  readonly cachedTokens: number | undefined;
}

/** From a whole answer or one event: OpenAI's chat and completions, Responses, Anthropic's Messages. */
export function usageOf(body: unknown): Usage | undefined {
  const usage = [
    field(body, 'usage'),
    field(field(body, 'response'), 'usage'),
    field(field(body, 'message'), 'usage'),
  ].find(isObject);
  if (usage === undefined) return undefined;
  return {
    promptTokens: nonNegative(field(usage, 'prompt_tokens')) ?? nonNegative(field(usage, 'input_tokens')),
    completionTokens:
      nonNegative(field(usage, 'completion_tokens')) ?? nonNegative(field(usage, 'output_tokens')),
    cachedTokens:
      nonNegative(field(field(usage, 'prompt_tokens_details'), 'cached_tokens')) ??
      nonNegative(field(field(usage, 'input_tokens_details'), 'cached_tokens')) ??
      nonNegative(field(usage, 'cache_read_input_tokens')),
  };
}

/** Later reports of one stream replace earlier ones: some engines repeat totals, so nothing is ever added. */
export function laterUsage(before: Usage | undefined, now: Usage | undefined): Usage | undefined {
  if (before === undefined || now === undefined) return now ?? before;
  return {
    promptTokens: now.promptTokens ?? before.promptTokens,
    completionTokens: now.completionTokens ?? before.completionTokens,
    cachedTokens: now.cachedTokens ?? before.cachedTokens,
  };
}
