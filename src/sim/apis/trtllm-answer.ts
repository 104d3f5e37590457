import { type AnswerManner, DONE, event, type Result, type Usage } from './answer-manner.ts';
import type { GenerationRequest } from './read-request.ts';
import { uvicornStream } from './uvicorn.ts';
import { usageOf } from './vllm-answer.ts';

interface Meta {
  readonly id: string;
  /** Streams are numbered by the executor, whole answers have a random id. */
  readonly streamId: number;
  readonly created: number;
  readonly model: string;
  readonly request: GenerationRequest;
}

const PER_ITERATION = { avg_decoded_tokens_per_iter: 1.0 };

/** Role alone in the first chunk, the last text in the finish chunk; a fault in the middle cuts the connection. */
export function trtllmChat({ id, streamId, created, model, request }: Meta): AnswerManner {
  const head = { id: `chatcmpl-${streamId}`, object: 'chat.completion.chunk', created, model };
  return {
    body: (result) => ({
      id: `chatcmpl-${id}`,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: result.text,
            reasoning_content: '',
            reasoning: null,
            tool_calls: [],
          },
          logprobs: null,
          finish_reason: result.finish,
          stop_reason: null,
          mm_embedding_handle: null,
          disaggregated_params: null,
          ...PER_ITERATION,
        },
      ],
      usage: usage(result.usage),
      prompt_token_ids: null,
    }),
    stream: {
      headers: uvicornStream,
      headAt: 'accepted',
      begin: () => {
        const chunk = { ...head, choices: [{ index: 0, delta: { role: 'assistant' } }] };
        // The one event with a space before its blank line.
        return `data: ${JSON.stringify(chunk)} \n\n`;
      },
      token: ({ text, finish }) =>
        event({
          ...head,
          choices: [
            {
              index: 0,
              delta: { content: text, reasoning_content: '' },
              ...(finish === undefined ? {} : { finish_reason: finish }),
              ...PER_ITERATION,
            },
          ],
        }),
      end: (result) => `${usageChunk(head, request, result)}${DONE}`,
    },
  };
}

export function trtllmCompletion({ id, created, model, request }: Meta): AnswerManner {
  const head = { id: `cmpl-${id}`, object: 'text_completion', created, model };
  const choice = (text: string, finish: string | null): object => ({
    index: 0,
    text,
    token_ids: null,
    logprobs: null,
    context_logits: null,
    finish_reason: finish,
    stop_reason: null,
    disaggregated_params: null,
    ...PER_ITERATION,
  });
  return {
    body: (result) => ({
      ...head,
      choices: [choice(result.text, result.finish)],
      usage: usage(result.usage),
      prompt_token_ids: null,
    }),
    stream: {
      headers: uvicornStream,
      headAt: 'accepted',
      begin: () => '',
      token: ({ text, finish }) => event({ ...head, choices: [choice(text, finish ?? null)], usage: null }),
      end: (result) => `${usageChunk(head, request, result)}${DONE}`,
    },
  };
}

function usage(figures: Usage): object {
  return { ...usageOf(figures), prompt_tokens_details: { cached_tokens: figures.cachedTokens } };
}

/** `stream_options` alone means usage, unless it says otherwise. */
function usageChunk(head: object, request: GenerationRequest, result: Result): string {
  if (request.includeUsage !== true) return '';
  return event({ ...head, choices: [], usage: usage(result.usage) });
}
