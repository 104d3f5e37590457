import { type AnswerManner, DONE, event, type Usage } from './answer-manner.ts';
import type { GenerationRequest } from './read-request.ts';

interface Meta {
  /** 0 to 998, as its Go code draws it. */
  readonly number: number;
  readonly created: number;
  readonly model: string;
  readonly request: GenerationRequest;
}

const STREAM = { 'Content-Type': 'text/event-stream' };
const NO_USAGE: Usage = { promptTokens: 0, completionTokens: 0, cachedTokens: 0 };

/** The role comes with the first text; the finish chunk is empty; `created` is that of the start. */
export function ollamaChat({ number, created, model, request }: Meta): AnswerManner {
  const head = {
    id: `chatcmpl-${number}`,
    object: 'chat.completion.chunk',
    created,
    model,
    system_fingerprint: 'fp_ollama',
  };
  const chunk = (delta: object, finish: string | null): string =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  let first = true;
  return {
    body: (result) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        { index: 0, message: { role: 'assistant', content: result.text }, finish_reason: result.finish },
      ],
      usage: usageOf(result.usage),
    }),
    stream: {
      headers: STREAM,
      headAt: 'first output',
      begin: () => '',
      token: ({ text }) => {
        if (text === '') return '';
        const role = first ? { role: 'assistant' } : {};
        first = false;
        return chunk({ ...role, content: text }, null);
      },
      end: (result) => {
        const usage = event({ ...head, choices: [], usage: usageOf(result.usage) });
        return `${chunk({}, result.finish)}${request.includeUsage === true ? usage : ''}${DONE}`;
      },
      // A fault is decoded as an empty answer: the stream ends without finish and without `[DONE]`.
      failed: () => chunk({ content: '' }, null),
    },
  };
}

/** Text and finish share the last chunk; with include_usage every chunk has a usage of zeros. */
export function ollamaCompletion({ number, created, model, request }: Meta): AnswerManner {
  const head = {
    id: `cmpl-${number}`,
    object: 'text_completion',
    created,
    model,
    system_fingerprint: 'fp_ollama',
  };
  const wanted = request.includeUsage === true;
  const chunk = (text: string, finish: string | null): string =>
    event({
      ...head,
      choices: [{ text, index: 0, finish_reason: finish }],
      ...(wanted ? { usage: usageOf(NO_USAGE) } : {}),
    });
  return {
    body: (result) => ({
      ...head,
      choices: [{ text: result.text, index: 0, finish_reason: result.finish }],
      usage: usageOf(result.usage),
    }),
    stream: {
      headers: STREAM,
      headAt: 'first output',
      begin: () => '',
      token: ({ text, finish }) => chunk(text, finish ?? null),
      end: (result) =>
        `${wanted ? event({ ...head, choices: [], usage: usageOf(result.usage) }) : ''}${DONE}`,
      failed: () => chunk('', null),
    },
  };
}

function usageOf({ promptTokens, completionTokens }: Usage): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}
