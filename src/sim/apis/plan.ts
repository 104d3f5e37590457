import { hash32 } from '../../kit/hash.ts';
import { answerText } from '../answer-text.ts';
import type { Work } from '../life.ts';
import { blocksOf } from '../tokens.ts';
import { RequestProblem } from './problem.ts';
import type { GenerationRequest } from './read-request.ts';

/** What a kind does about requests that are too long. */
export interface LengthRules {
  /**
   * `prompt and answer`: refused when both together exceed the context. `prompt`: only when the prompt does, and the
   * answer ends where the context does. `never`: the front of the prompt is cut off.
   */
  readonly refuses: 'prompt and answer' | 'prompt' | 'never';
  /** Tokens of the context nobody gets. */
  readonly spareTokens: number;
  /** Limit of a completion that names none; absent: what the context leaves. */
  readonly completionTokens: number | undefined;
}

export interface Plan {
  readonly work: Work;
  /** One text per output token. */
  readonly answer: readonly string[];
}

export interface Room {
  readonly contextTokens: number;
  readonly blockTokens: number;
  readonly seed: number;
}

/** Decides what the engine will say and how much work it is. @throws RequestProblem `too-long` */
export function planWork(request: GenerationRequest, rules: LengthRules, room: Room): Plan {
  const { contextTokens } = room;
  const prompt =
    rules.refuses === 'never' && request.prompt.length > contextTokens / 2
      ? request.prompt.slice(-Math.floor(contextTokens / 2))
      : request.prompt;
  const left = contextTokens - prompt.length - rules.spareTokens;
  const wanted =
    request.maxTokens ?? (request.endpoint === 'completions' ? rules.completionTokens : undefined);
  const tooLong =
    left < 1 || (rules.refuses === 'prompt and answer' && wanted !== undefined && wanted > left);
  if (tooLong) {
    const promptTokens = prompt.length;
    throw new RequestProblem({ type: 'too-long', promptTokens, maxTokens: wanted, contextTokens });
  }
  const maxTokens = Math.min(wanted ?? left, left);
  const { tokens, finishReason } = answerText({
    seed: room.seed ^ hash32(prompt.join('\u0000')),
    // A request without a limit that ignores the end would fill the whole context: no demo wants that.
    maxTokens: request.ignoreEnd && wanted === undefined ? undefined : maxTokens,
    minTokens: Math.min(request.minTokens, maxTokens),
    ignoreEnd: request.ignoreEnd,
  });
  // The end of the answer is a token of the template when it comes back as a message.
  const said = tokens.map((token) => (token === '' ? '<|end|>' : token));
  return {
    answer: tokens,
    work: {
      promptTokens: prompt.length,
      promptBlocks: blocksOf([...prompt, ...said], room.blockTokens),
      outputTokens: tokens.length,
      finishReason,
      maxTokens,
      streamed: request.stream,
    },
  };
}
