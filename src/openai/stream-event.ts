import { field, filledText, isObject, list, parsedOrUndefined } from './json.ts';
import { type Usage, usageOf } from './usage.ts';

/**
 * What one event of a streamed answer brings.
 * `output`: the model said something (text, reasoning, a tool call); a role alone is none, since some engines
 * send it on acceptance. `quiet`: anything else.
 */
export interface StreamEvent {
  readonly brings: 'output' | 'error' | 'done' | 'quiet';
  readonly usage: Usage | undefined;
  /** Of an error event: the HTTP status it carries, where it carries one. */
  readonly status: number | undefined;
  /** Whether it is of a form that is known, so that the end of its stream is known as well. */
  readonly known: boolean;
  /** A finish reason, or what closes a stream: the answer is whole. */
  readonly ends: boolean;
  /** `[DONE]`, or what closes a stream of Messages or Responses: nothing follows. */
  readonly closes: boolean;
}

const QUIET: StreamEvent = {
  brings: 'quiet',
  usage: undefined,
  status: undefined,
  known: false,
  ends: false,
  closes: false,
};

/** @param data the event's data, as sent by chat, completions, Responses or Messages endpoints */
export function readStreamEvent(data: string): StreamEvent {
  if (data.trim() === '[DONE]') return { ...QUIET, brings: 'done', known: true, ends: true, closes: true };
  const body = parsedOrUndefined(data);
  if (!isObject(body)) return QUIET;
  if (isError(body)) return { ...QUIET, brings: 'error', status: statusOf(body), known: true };
  const { type } = body;
  const closes = typeof type === 'string' && CLOSING.has(type);
  return {
    brings: hasOutput(body) ? 'output' : 'quiet',
    usage: usageOf(body),
    status: undefined,
    known: isKnown(body),
    ends: closes || hasFinished(body),
    closes,
  };
}

/** vLLM, llama.cpp: `{"error":{...}}`; Ollama: `{"error":"text"}`; SGLang: `{"object":"error"}`; Messages: `type`. */
function isError(body: Readonly<Record<string, unknown>>): boolean {
  const error = body['error'];
  return (
    isObject(error) ||
    filledText(error) !== undefined ||
    body['object'] === 'error' ||
    body['type'] === 'error' ||
    body['type'] === 'response.failed'
  );
}

/** Anthropic's error types that have a status of their own. */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  not_found_error: 404,
  rate_limit_error: 429,
  overloaded_error: 503,
};

function statusOf(body: Readonly<Record<string, unknown>>): number | undefined {
  const code = field(body['error'], 'code') ?? body['code'];
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  if (typeof status === 'number' && status >= 400 && status <= 599) return status;
  const type = filledText(field(body['error'], 'type')) ?? '';
  return Object.hasOwn(STATUS_OF_TYPE, type) ? STATUS_OF_TYPE[type] : undefined;
}

function isKnown({ choices, type }: Readonly<Record<string, unknown>>): boolean {
  return (
    Array.isArray(choices) ||
    (typeof type === 'string' && /^(?:response\.|message_|content_block_)/.test(type))
  );
}

const CLOSING: ReadonlySet<string> = new Set(['message_stop', 'response.completed', 'response.incomplete']);

function hasFinished(body: Readonly<Record<string, unknown>>): boolean {
  return list(body['choices']).some((choice) => filledText(field(choice, 'finish_reason')) !== undefined);
}

function hasOutput(body: Readonly<Record<string, unknown>>): boolean {
  if (Array.isArray(body['choices'])) return body['choices'].some(choiceHasOutput);
  const type = body['type'];
  if (typeof type !== 'string') return false;
  // Responses: response.output_text.delta, response.reasoning_text.delta, response.function_call_arguments.delta
  if (type.startsWith('response.')) return type.endsWith('.delta') && filledText(body['delta']) !== undefined;
  if (type !== 'content_block_delta') return false;
  const delta = body['delta'];
  return ['text', 'thinking', 'partial_json'].some((name) => filledText(field(delta, name)) !== undefined);
}

function choiceHasOutput(choice: unknown): boolean {
  const delta = field(choice, 'delta');
  return (
    filledText(field(choice, 'text')) !== undefined ||
    ['content', 'reasoning_content', 'reasoning', 'refusal'].some(
      (name) => filledText(field(delta, name)) !== undefined,
    ) ||
    list(field(delta, 'tool_calls')).length > 0
  );
}
