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
}

const QUIET: StreamEvent = { brings: 'quiet', usage: undefined, status: undefined };

/** @param data the event's data, as sent by chat, completions, Responses or Messages endpoints */
export function readStreamEvent(data: string): StreamEvent {
  if (data.trim() === '[DONE]') return { ...QUIET, brings: 'done' };
  const body = parsedOrUndefined(data);
  if (!isObject(body)) return QUIET;
  if (isError(body)) return { brings: 'error', usage: undefined, status: statusOf(body) };
  const usage = usageOf(body);
  const brings = hasOutput(body) ? 'output' : 'quiet';
  return usage === undefined && brings === 'quiet' ? QUIET : { brings, usage, status: undefined };
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

function statusOf(body: Readonly<Record<string, unknown>>): number | undefined {
  const code = field(body['error'], 'code') ?? body['code'];
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : undefined;
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
