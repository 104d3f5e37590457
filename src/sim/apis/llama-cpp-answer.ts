import { type AnswerManner, DONE, event, type Result, type Usage } from './answer-manner.ts';
import type { GenerationRequest } from './read-request.ts';
import { timingsOf } from './timings.ts';

interface Meta {
  readonly id: string;
  readonly created: number;
  /** The alias, whatever was asked for. */
  readonly model: string;
  readonly request: GenerationRequest;
}

export const FINGERPRINT = 'b1-80fb11a';

/** Once the stream has begun; a queued one is silent down to the head. */
const PING = { everyMs: 30_000, text: ':\n\n' };

const STREAM_HEADERS = { 'X-Accel-Buffering': 'no', 'Content-Type': 'text/event-stream' };

/** Head and role chunk come with the first token; the finish chunk has no text; `timings` always. */
export function llamaCppChat({ id, created, model, request }: Meta): AnswerManner {
  const chunk = (choices: readonly object[], more: object = {}): string =>
    event({
      choices,
      created,
      id: `chatcmpl-${id}`,
      model,
      system_fingerprint: FINGERPRINT,
      object: 'chat.completion.chunk',
      ...more,
    });
  const choice = (delta: object, finish: string | null): object => ({
    finish_reason: finish,
    index: 0,
    delta,
  });
  return {
    body: (result) => ({
      choices: [
        { finish_reason: result.finish, index: 0, message: { role: 'assistant', content: result.text } },
      ],
      created,
      model,
      system_fingerprint: FINGERPRINT,
      object: 'chat.completion',
      usage: usage(result.usage),
      id: `chatcmpl-${id}`,
      timings: timingsOf(result),
    }),
    stream: {
      headers: STREAM_HEADERS,
      headAt: 'first output',
      ping: PING,
      begin: () => chunk([choice({ role: 'assistant', content: null }, null)]),
      token: ({ text }) => (text === '' ? '' : chunk([choice({ content: text }, null)])),
      end: (result) => {
        const timings = timingsOf(result);
        const last = [choice({}, result.finish)];
        if (request.includeUsage !== true) return `${chunk(last, { timings })}${DONE}`;
        return `${chunk(last)}${chunk([], { usage: usage(result.usage), timings })}${DONE}`;
      },
      failed,
    },
  };
}

/** No role chunk; the last chunk carries usage and timings, asked for or not. The id says chatcmpl here too. */
export function llamaCppCompletion({ id, created, model }: Meta): AnswerManner {
  const chunk = (text: string, finish: string | null, result?: Result): string =>
    event(body(text, finish, result));
  const body = (text: string, finish: string | null, result?: Result): object => ({
    choices: [{ text, index: 0, logprobs: null, finish_reason: finish }],
    created,
    model,
    system_fingerprint: FINGERPRINT,
    object: 'text_completion',
    ...(result === undefined ? {} : { usage: usage(result.usage) }),
    id: `chatcmpl-${id}`,
    ...(result === undefined ? {} : { timings: timingsOf(result) }),
  });
  return {
    body: (result) => body(result.text, result.finish, result),
    stream: {
      headers: STREAM_HEADERS,
      headAt: 'first output',
      ping: PING,
      begin: () => '',
      token: ({ text }) => (text === '' ? '' : chunk(text, null)),
      end: (result) => `${chunk('', result.finish, result)}${DONE}`,
      failed,
    },
  };
}

function usage({ promptTokens, completionTokens, cachedTokens }: Usage): object {
  return {
    completion_tokens: completionTokens,
    prompt_tokens: promptTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** An error in the middle ends the stream without `[DONE]`. */
function failed(message: string): string {
  return event({ error: { code: 500, message, type: 'server_error' } });
}
