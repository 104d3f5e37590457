import type { Generation, GenerationEvent } from '../driver.ts';
import type { Life } from '../life.ts';
import type { Finish, Result, Usage } from './answer-manner.ts';
import type { Plan } from './plan.ts';

/** The tokens of a generation, as long as it goes well. @throws Error when the engine fails on it or is stopped */
export async function* tokensOf(
  generation: Generation,
): AsyncGenerator<Extract<GenerationEvent, { type: 'tokens' }>> {
  for await (const event of generation.events) {
    if (event.type === 'tokens') yield event;
    if (event.type === 'finished' && event.reason === 'error') {
      throw new Error('the simulated engine failed on this request');
    }
  }
}

/** The answer as far as it came; after the last event. */
export function resultOf({ answer }: Plan, life: Readonly<Life>): Result {
  const { finishReason } = life.work;
  return {
    text: answer.slice(0, life.tokens).join(''),
    finish: finishReason === 'error' ? 'abort' : finishReason,
    usage: usageOf(life, life.tokens),
    life,
  };
}

/** How the answer ends once `count` tokens of it are out; undefined when more will come. */
export function finishAt({ answer, work }: Plan, count: number): Finish | undefined {
  const { finishReason } = work;
  return count < answer.length || finishReason === 'error' ? undefined : finishReason;
}

export function usageOf(life: Readonly<Life>, completionTokens: number): Usage {
  return { promptTokens: life.work.promptTokens, completionTokens, cachedTokens: life.cachedTokens };
}
