import { type AnswerManner, DONE, event, type Result, type Usage } from './answer-manner.ts';
import { timingsOf } from './timings.ts';

interface Meta {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

/** Role chunk before the queue, usage and timings inside the finish chunk, asked for or not. */
export function strataChat({ id, created, model }: Meta): AnswerManner {
  const head = { id: `chatcmpl-${id.slice(0, 24)}`, object: 'chat.completion.chunk', created, model };
  const chunk = (delta: object, finish: string | null, more: object = {}): string =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }], ...more });
  return {
    body: (result) => ({
      ...head,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: result.text === '' ? null : result.text },
          finish_reason: result.finish,
        },
      ],
      usage: usage(result.usage),
      timings: timings(result),
    }),
    stream: {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
      headAt: 'accepted',
      ping: { everyMs: 10_000, text: ': keep-alive\n\n' },
      accepted: () => chunk({ role: 'assistant', content: '' }, null),
      begin: () => '',
      token: ({ text }) => (text === '' ? '' : chunk({ content: text }, null)),
      end: (result) => {
        const more = { usage: usage(result.usage), timings: timings(result) };
        return `${chunk({}, result.finish, more)}${DONE}`;
      },
      failed: (message) => `${event({ error: { type: 'server_error', message } })}${DONE}`,
    },
  };
}

function timings(result: Result): object {
  const { draftedTokens, acceptedTokens } = result.life;
  return { ...timingsOf(result), draft_n: draftedTokens, draft_n_accepted: acceptedTokens };
}

function usage({ promptTokens, completionTokens, cachedTokens }: Usage): object {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}
