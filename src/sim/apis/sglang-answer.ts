import { type AnswerManner, DONE, event, type Result } from './answer-manner.ts';
import type { GenerationRequest } from './read-request.ts';
import { uvicornStream } from './uvicorn.ts';
import { usageOf } from './vllm-answer.ts';

interface Meta {
  readonly id: string;
  /** Seconds, asked for each chunk: SGLang stamps each anew. */
  readonly now: () => number;
  readonly created: number;
  readonly model: string;
  readonly request: GenerationRequest;
}

/** The end token of the model it stands for; null when the limit ended the answer. */
const END_TOKEN_ID = 151645;

const matchedStop = (finish: string): number | null => (finish === 'stop' ? END_TOKEN_ID : null);

/** Late 0.5: most nulls are dropped from deltas, but for `reasoning_content`. */
export function sglangChat({ id, now, created, model, request }: Meta): AnswerManner {
  const chunk = (delta: object, finish: string | null): string =>
    event({
      id,
      object: 'chat.completion.chunk',
      created: now(),
      model,
      choices: [
        {
          index: 0,
          delta: { ...delta, reasoning_content: null },
          logprobs: null,
          finish_reason: finish,
          matched_stop: finish === null ? null : matchedStop(finish),
        },
      ],
    });
  return {
    body: (result) => ({
      id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: result.text,
            reasoning_content: null,
            tool_calls: null,
          },
          logprobs: null,
          finish_reason: result.finish,
          matched_stop: matchedStop(result.finish),
        },
      ],
      usage: { ...usageOf(result.usage), prompt_tokens_details: null, reasoning_tokens: 0 },
      metadata: { weight_version: 'default' },
    }),
    stream: {
      headers: uvicornStream,
      // The first chunk exists before the head goes out, so that refusals are plain answers.
      headAt: 'first output',
      begin: () => chunk({ role: 'assistant', content: '' }, null),
      token: ({ text, finish }) =>
        `${text === '' ? '' : chunk({ content: text }, null)}${finish === undefined ? '' : chunk({}, finish)}`,
      end: (result) =>
        `${usageChunk({ id, object: 'chat.completion.chunk', created: now(), model }, request, result)}${DONE}`,
      failed,
    },
  };
}

export function sglangCompletion({ id, now, created, model, request }: Meta): AnswerManner {
  const choice = (text: string, finish: string | null): object => ({
    index: 0,
    text,
    logprobs: null,
    finish_reason: finish,
    matched_stop: finish === null ? null : matchedStop(finish),
  });
  const chunk = (text: string, finish: string | null): string =>
    event({ id, object: 'text_completion', created: now(), model, choices: [choice(text, finish)] });
  return {
    body: (result) => ({
      id,
      object: 'text_completion',
      created,
      model,
      choices: [choice(result.text, result.finish)],
      usage: { ...usageOf(result.usage), prompt_tokens_details: null, reasoning_tokens: 0 },
      metadata: { weight_version: 'default' },
    }),
    stream: {
      headers: uvicornStream,
      headAt: 'first output',
      begin: () => '',
      token: ({ text, finish }) =>
        `${text === '' ? '' : chunk(text, null)}${finish === undefined ? '' : chunk('', finish)}`,
      end: (result) =>
        `${usageChunk({ id, object: 'text_completion', created: now(), model }, request, result)}${DONE}`,
      failed,
    },
  };
}

function usageChunk(head: object, request: GenerationRequest, { usage }: Result): string {
  if (request.includeUsage !== true) return '';
  return event({ ...head, choices: [], usage: { ...usageOf(usage), prompt_tokens_details: null } });
}

function failed(message: string): string {
  const error = { object: 'error', message, type: 'InternalServerError', param: null, code: 500 };
  return `${event({ error })}${DONE}`;
}
