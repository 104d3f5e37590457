import { positionOf } from './json-position.ts';
import {
  type JsonFault,
  MAX_DEPTH,
  type Span,
  scanTopLevel,
  type TopLevel,
  TopLevelScan,
  wantedKeys,
} from './json-scan.ts';
import { openingOf } from './opening.ts';

/** What is read of a request; the bytes themselves go on unread. */
export interface RequestFields {
  readonly model: string;
  /** Where the model's name stands in the body. */
  readonly modelSpan: Span;
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

const READ = wantedKeys(
  'model',
  'stream',
  'prompt_cache_key',
  'user',
  'system',
  'instructions',
  'messages',
  'input',
  'prompt',
);
const decoder = new TextDecoder();

/** A longer name is no name. */
const MAX_TEXT_BYTES = 65_536;

/** Of a large body, read between two breaths: some milliseconds. */
const PART_BYTES = 1_048_576;

/** Never builds the body as an object: it may be large, and deep, and made to hurt. */
export function readRequest(body: Uint8Array): RequestFields | RequestProblem {
  return fieldsOf(body, scanTopLevel(body, READ));
}

/** The same for a body of any size: others are served in between. */
export async function readRequestInParts(
  body: Uint8Array,
  breathe: () => Promise<void>,
): Promise<RequestFields | RequestProblem> {
  const scan = new TopLevelScan(body, READ);
  while (!scan.run(PART_BYTES)) await breathe();
  return fieldsOf(body, scan.result);
}

function fieldsOf(body: Uint8Array, found: TopLevel | JsonFault): RequestFields | RequestProblem {
  if (body.byteLength === 0) return problem('The request has no body; a JSON object is needed');
  if ('at' in found) return problem(notJson(body, found));
  if (!found.isObject) return problem(`The request body must be a JSON object, not ${describe(body, 0)}`);
  const { values } = found;
  const modelSpan = values.get('model');
  if (modelSpan === undefined) return problem('The request names no model', 'model');
  const model = textAt(body, modelSpan);
  if (model === undefined || model === '') {
    const what = model === '' ? 'an empty string' : describe(body, modelSpan.start);
    return problem(`"model" must be the name of a model, not ${what}`, 'model');
  }
  return {
    model,
    modelSpan,
    stream: rawAt(body, values.get('stream')) === 'true',
    promptCacheKey: textAt(body, values.get('prompt_cache_key')) || undefined,
    user: textAt(body, values.get('user')) || undefined,
    opening: openingOf(body, values),
  };
}

/** The same body naming another model: the bytes of that one value are replaced and nothing else. */
export function withModel(body: Uint8Array, { start, end }: Span, model: string): Uint8Array {
  const value = new TextEncoder().encode(JSON.stringify(model));
  const rewritten = new Uint8Array(body.byteLength - (end - start) + value.byteLength);
  rewritten.set(body.subarray(0, start));
  rewritten.set(value, start);
  rewritten.set(body.subarray(end), start + value.byteLength);
  return rewritten;
}

function rawAt(body: Uint8Array, span: Span | undefined): string | undefined {
  if (span === undefined || span.end - span.start > MAX_TEXT_BYTES) return undefined;
  return decoder.decode(body.subarray(span.start, span.end));
}

/** The text there; undefined when there is something else. */
function textAt(body: Uint8Array, span: Span | undefined): string | undefined {
  const raw = rawAt(body, span);
  return raw?.startsWith('"') === true ? String(JSON.parse(raw)) : undefined;
}

function problem(text: string, param?: string): RequestProblem {
  return { problem: text, param };
}

function notJson(body: Uint8Array, fault: JsonFault): string {
  const { line, column } = positionOf(body, fault.at);
  if (fault.expected === undefined) {
    return `The request body opens more than ${MAX_DEPTH} brackets in one another: line ${line}, column ${column}`;
  }
  const there = fault.at >= body.byteLength ? 'it ends there' : `found ${shown(body, fault.at)}`;
  return `The request body is not JSON: line ${line}, column ${column} must be ${fault.expected}; ${there}`;
}

function shown(body: Uint8Array, at: number): string {
  const [character = ''] = decoder.decode(body.subarray(at, at + 4));
  return JSON.stringify(character);
}

/** What kind of value begins there, or behind blanks. */
function describe(body: Uint8Array, from: number): string {
  const [first = ''] = decoder.decode(body.subarray(from, from + 64)).trim();
  const kinds: Readonly<Record<string, string>> = {
    '"': 'a string',
    '{': 'an object',
    '[': 'a list',
    n: 'null',
    t: 'a boolean',
    f: 'a boolean',
  };
  return kinds[first] ?? 'a number';
}
