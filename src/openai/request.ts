import { field, filledText, isObject, list } from './json.ts';
import { positionOf, type Span, scanTopLevel } from './json-scan.ts';

/** What is read of a request; the bytes themselves go on unread. */
export interface RequestFields {
  readonly model: string;
  readonly stream: boolean;
  readonly promptCacheKey: string | undefined;
  readonly user: string | undefined;
  /** How the conversation begins: its system text and first message, cut to a bounded excerpt. */
  readonly opening: string | undefined;
}

/** Why a body cannot be routed, for a person. */
export interface RequestProblem {
  readonly problem: string;
  readonly param: string | undefined;
}

export function readRequest(body: Uint8Array): RequestFields | RequestProblem {
  if (body.byteLength === 0) return problem('The request has no body; a JSON object is needed');
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return problem(notJson(body));
  }
  if (!isObject(parsed)) {
    return problem(`The request body must be a JSON object, not ${describe(parsed)}`);
  }
  const model = field(parsed, 'model');
  if (model === undefined) return problem('The request names no model', 'model');
  if (typeof model !== 'string' || model === '') {
    return problem(
      `"model" must be the name of a model, not ${model === '' ? 'an empty string' : describe(model)}`,
      'model',
    );
  }
  return {
    model,
    stream: field(parsed, 'stream') === true,
    promptCacheKey: filledText(field(parsed, 'prompt_cache_key')),
    user: filledText(field(parsed, 'user')),
    opening: openingOf(parsed),
  };
}

/** The same body naming another model: the bytes of that one value are replaced and nothing else. */
export function withModel(body: Uint8Array, model: string): Uint8Array {
  const spans = scanTopLevel(body);
  const span: Span | undefined = spans instanceof Map ? spans.get('model') : undefined;
  if (span === undefined) throw new Error('withModel: the body has no model');
  const value = new TextEncoder().encode(JSON.stringify(model));
  const rewritten = new Uint8Array(body.byteLength - (span.end - span.start) + value.byteLength);
  rewritten.set(body.subarray(0, span.start));
  rewritten.set(value, span.start);
  rewritten.set(body.subarray(span.end), span.start + value.byteLength);
  return rewritten;
}

function problem(text: string, param?: string): RequestProblem {
  return { problem: text, param };
}

function notJson(body: Uint8Array): string {
  const fault = scanTopLevel(body);
  if (fault === undefined || fault instanceof Map || !('at' in fault)) return 'The request body is not JSON';
  const { line, column } = positionOf(body, fault.at);
  const there = fault.at >= body.byteLength ? 'it ends there' : `found ${shown(body, fault.at)}`;
  return `The request body is not JSON: line ${line}, column ${column} must be ${fault.expected}; ${there}`;
}

function shown(body: Uint8Array, at: number): string {
  const [character = ''] = new TextDecoder().decode(body.subarray(at, at + 4));
  return JSON.stringify(character);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Chat and Messages: system and first message; Responses: instructions and input; completions: the prompt. */
function openingOf(body: Readonly<Record<string, unknown>>): string | undefined {
  const messages = list(body['messages']);
  const isSetting = (message: unknown): boolean =>
    ['system', 'developer'].includes(String(field(message, 'role')));
  const first = messages.findIndex((message) => !isSetting(message));
  const parts = [
    body['system'],
    body['instructions'],
    ...messages.slice(0, first === -1 ? messages.length : first + 1),
    Array.isArray(body['input']) ? body['input'][0] : body['input'],
    body['prompt'],
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.map(excerpt).join('\n');
}

const EXCERPT = 2_048;

/** Both ends and the length: a long prompt differs from the next one in one of them. */
function excerpt(part: unknown): string {
  const text = typeof part === 'string' ? part : JSON.stringify(part);
  return text.length <= 2 * EXCERPT
    ? text
    : `${text.slice(0, EXCERPT)}\u2026${text.length}\u2026${text.slice(-EXCERPT)}`;
}
