import { type AnswerManner, DONE, event, type Result, type Usage } from './answer-manner.ts';
import type { GenerationRequest } from './read-request.ts';
import { uvicornStream } from './uvicorn.ts';

interface Meta {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly request: GenerationRequest;
}

/** Role chunk at the first output, the last text in the finish chunk, usage only when asked for. */
export function vllmChat({ id, created, model, request }: Meta): AnswerManner {
  const head = { id: `chatcmpl-${id}`, object: 'chat.completion.chunk', created, model };
  const continuous = continuousUsage(request);
  return {
    body: (result) => ({
      id: head.id,
      object: 'chat.completion',
      created,
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: result.text,
            refusal: null,
            annotations: null,
            audio: null,
            function_call: null,
            reasoning: null,
          },
          logprobs: null,
          finish_reason: result.finish,
          stop_reason: null,
          token_ids: null,
        },
      ],
      service_tier: null,
      system_fingerprint: null,
      usage: { ...usageOf(result.usage), prompt_tokens_details: null },
      prompt_logprobs: null,
      prompt_token_ids: null,
      kv_transfer_params: null,
    }),
    stream: {
      headers: uvicornStream,
      headAt: 'accepted',
      begin: (usage) =>
        event({
          ...head,
          choices: [
            { index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null },
          ],
          prompt_token_ids: null,
          ...continuous(usage),
        }),
      token: ({ text, finish, usage }) =>
        event({
          ...head,
          choices: [
            finish === undefined
              ? { index: 0, delta: { content: text }, logprobs: null, finish_reason: null, token_ids: null }
              : {
                  index: 0,
                  delta: { content: text },
                  logprobs: null,
                  finish_reason: finish,
                  stop_reason: null,
                  token_ids: null,
                },
          ],
          ...continuous(usage),
        }),
      end: (result) => `${usageChunk(head, request, result)}${DONE}`,
      failed,
    },
  };
}

/** Every field in each chunk, nulls and usage included, and no role chunk. */
export function vllmCompletion({ id, created, model, request }: Meta): AnswerManner {
  const head = { id: `cmpl-${id}`, object: 'text_completion', created, model };
  const continuous = continuousUsage(request);
  return {
    body: (result) => ({
      ...head,
      choices: [
        {
          index: 0,
          text: result.text,
          logprobs: null,
          finish_reason: result.finish,
          stop_reason: null,
          token_ids: null,
          prompt_logprobs: null,
          prompt_token_ids: null,
        },
      ],
      service_tier: null,
      system_fingerprint: null,
      usage: { ...usageOf(result.usage), prompt_tokens_details: null },
      kv_transfer_params: null,
    }),
    stream: {
      headers: uvicornStream,
      headAt: 'accepted',
      begin: () => '',
      token: ({ text, finish, usage }) =>
        event({
          ...head,
          choices: [
            {
              index: 0,
              text,
              logprobs: null,
              finish_reason: finish ?? null,
              stop_reason: null,
              prompt_token_ids: null,
              token_ids: null,
            },
          ],
          usage: null,
          ...continuous(usage),
        }),
      end: (result) => `${usageChunk(head, request, result)}${DONE}`,
      failed,
    },
  };
}

export function usageOf({ promptTokens, completionTokens }: Usage): {
  prompt_tokens: number;
  total_tokens: number;
  completion_tokens: number;
} {
  return {
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    completion_tokens: completionTokens,
  };
}

function continuousUsage(request: GenerationRequest): (usage: Usage) => object {
  const wanted = request.continuousUsage && request.includeUsage === true;
  return (usage) => (wanted ? { usage: usageOf(usage) } : {});
}

function usageChunk(head: object, request: GenerationRequest, { usage }: Result): string {
  return request.includeUsage === true ? event({ ...head, choices: [], usage: usageOf(usage) }) : '';
}

function failed(message: string): string {
  const error = { message, type: 'InternalServerError', param: null, code: 500 };
  return `${event({ error })}${DONE}`;
}
