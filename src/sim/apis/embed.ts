import { hash32 } from '../../kit/hash.ts';
import { seededRandom } from '../../kit/random.ts';
import { blocksOf, tokensOf } from '../tokens.ts';
import type { ApiContext } from './api.ts';
import type { Exchange } from './exchange.ts';
import { RequestProblem } from './problem.ts';

const DIMENSIONS = 32;

export interface Embedded {
  readonly vectors: readonly (readonly number[])[];
  readonly promptTokens: number;
}

/** Each text is one prefill in the engine. The vectors are a hash of the text: equal texts, equal vectors. */
export async function embed(
  context: ApiContext,
  exchange: Exchange,
  inputs: readonly string[],
): Promise<Embedded> {
  const { contextTokens, blockTokens, driver } = context;
  const prompts = inputs.map((input) => ['<|begin|>', ...tokensOf(input)]);
  const longest = prompts.reduce((most, prompt) => Math.max(most, prompt.length), 0);
  if (longest > contextTokens) {
    throw new RequestProblem({
      type: 'too-long',
      promptTokens: longest,
      maxTokens: undefined,
      contextTokens,
    });
  }
  await Promise.all(
    prompts.map(async (prompt) => {
      const generation = await driver.submit({
        promptTokens: prompt.length,
        promptBlocks: blocksOf(prompt, blockTokens),
        outputTokens: 0,
        finishReason: 'stop',
        maxTokens: 0,
        streamed: false,
      });
      exchange.signal.addEventListener('abort', () => generation.abort(), { once: true });
      for await (const event of generation.events) {
        if (event.type === 'finished' && event.reason !== 'stop') {
          throw new RequestProblem({ type: 'engine-failed', message: 'the simulated engine failed' });
        }
      }
    }),
  );
  return {
    vectors: inputs.map(vectorOf),
    promptTokens: prompts.reduce((sum, prompt) => sum + prompt.length, 0),
  };
}

function vectorOf(text: string): readonly number[] {
  const random = seededRandom(hash32(text));
  const raw = Array.from({ length: DIMENSIONS }, () => random() * 2 - 1);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
