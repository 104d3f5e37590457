import { type ChatMessage, chatTokens, tokensOf } from '../tokens.ts';
import { type JsonType, type Problem, RequestProblem } from './problem.ts';

export type Endpoint = 'chat' | 'completions';

export interface GenerationRequest {
  readonly endpoint: Endpoint;
  /** As asked; absent when the body names none. */
  readonly model: string | undefined;
  readonly prompt: readonly string[];
  readonly maxTokens: number | undefined;
  readonly minTokens: number;
  readonly ignoreEnd: boolean;
  readonly stream: boolean;
  readonly hasStreamOptions: boolean;
  /** Absent: `stream_options` does not say, or is not there. */
  readonly includeUsage: boolean | undefined;
  readonly continuousUsage: boolean;
}

/** Where kinds differ in what they take. */
export interface RequestRules {
  readonly modelRequired: boolean;
  /** Smallest `max_tokens`; below 0 means without limit. */
  readonly leastMaxTokens: number;
  /** Any other field is refused. */
  readonly knownFields?: ReadonlySet<string>;
  /** Chat messages without a role: a fault of its own kind. */
  readonly roleRequired: boolean;
  readonly emptyMessages: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** @throws RequestProblem */
export function readGeneration(text: string, endpoint: Endpoint, rules: RequestRules): GenerationRequest {
  const body = readObject(text);
  const unknown = Object.keys(body).find((field) => rules.knownFields?.has(field) === false);
  if (unknown !== undefined) fail({ type: 'unknown-field', field: unknown, found: body[unknown] });
  const model = field(body, 'model', 'string');
  if (model === undefined && rules.modelRequired) fail({ type: 'missing', field: 'model', body });
  const options = field(body, 'stream_options', 'object') as Fields | undefined;
  const prompt = endpoint === 'chat' ? chatPrompt(body, rules) : textPrompt(body);
  const maxTokens = field(body, 'max_completion_tokens', 'integer') ?? field(body, 'max_tokens', 'integer');
  if (maxTokens !== undefined && maxTokens < rules.leastMaxTokens) {
    fail({ type: 'out-of-range', field: 'max_tokens', least: rules.leastMaxTokens, found: maxTokens });
  }
  field(body, 'temperature', 'number');
  return {
    endpoint,
    model,
    prompt,
    maxTokens: maxTokens === undefined || maxTokens < 0 ? undefined : Math.max(1, maxTokens),
    minTokens: field(body, 'min_tokens', 'integer') ?? 0,
    ignoreEnd: field(body, 'ignore_eos', 'boolean') ?? false,
    stream: field(body, 'stream', 'boolean') ?? false,
    hasStreamOptions: options !== undefined,
    includeUsage: options === undefined ? undefined : optionOf(options, 'include_usage'),
    continuousUsage: options !== undefined && optionOf(options, 'continuous_usage_stats') === true,
  };
}

/** @throws RequestProblem */
function readObject(text: string): Fields {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    const position = at === undefined ? text.length : Number(at);
    fail({ type: 'malformed-json', position, empty: text.length === 0 });
  }
  // A list or a bare value has no fields: what is missed first is what the kind then names.
  return isFields(body) ? body : {};
}

/** The texts of `input` of an embedding request. @throws RequestProblem */
export function readEmbedding(text: string): { model: string | undefined; inputs: readonly string[] } {
  const body = readObject(text);
  const { input } = body;
  const inputs = typeof input === 'string' ? [input] : input;
  if (inputs === undefined) fail({ type: 'missing', field: 'input', body });
  if (!Array.isArray(inputs) || !inputs.every((one) => typeof one === 'string')) {
    fail({ type: 'wrong-type', field: 'input', wanted: 'string', found: input });
  }
  return { model: field(body, 'model', 'string'), inputs };
}

function chatPrompt(body: Fields, rules: RequestRules): readonly string[] {
  const messages = field(body, 'messages', 'array') as readonly unknown[] | undefined;
  if (messages === undefined || (messages.length === 0 && !rules.emptyMessages)) {
    fail({ type: 'missing', field: 'messages', body });
  }
  return chatTokens(messages.map((message) => readMessage(message, rules)));
}

function readMessage(message: unknown, rules: RequestRules): ChatMessage {
  if (!isFields(message)) fail({ type: 'wrong-type', field: 'messages', wanted: 'object', found: message });
  const { role, content } = message;
  if (typeof role !== 'string' && rules.roleRequired) fail({ type: 'message-without-role', message });
  if (content === undefined && role !== 'assistant') {
    fail({ type: 'missing', field: 'content', body: message });
  }
  return { role: typeof role === 'string' ? role : 'user', content: textOf(content) };
}

/** Parts that are not text count as nothing: no simulated engine sees pictures. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (isFields(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

/** Text, or numbers of tokens; of several prompts the first. */
function textPrompt(body: Fields): readonly string[] {
  const { prompt } = body;
  if (prompt === undefined) fail({ type: 'missing', field: 'prompt', body });
  const first: unknown = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt[0] : prompt;
  if (Array.isArray(first)) return first.map(String);
  if (typeof first !== 'string')
    fail({ type: 'wrong-type', field: 'prompt', wanted: 'string', found: prompt });
  const tokens = tokensOf(first);
  return tokens.length > 0 ? tokens : ['<|begin|>'];
}

interface TypeOf {
  array: readonly unknown[];
  boolean: boolean;
  integer: number;
  number: number;
  string: string;
  object: Fields;
}

/** Null is absent, as in every engine here. */
function field<T extends JsonType>(body: Fields, name: string, wanted: T): TypeOf[T] | undefined {
  const found = body[name];
  if (found === undefined || found === null) return undefined;
  const fits: Readonly<Record<JsonType, boolean>> = {
    array: Array.isArray(found),
    boolean: typeof found === 'boolean',
    integer: Number.isInteger(found),
    number: typeof found === 'number',
    string: typeof found === 'string',
    object: isFields(found),
  };
  if (!fits[wanted]) fail({ type: 'wrong-type', field: name, wanted, found });
  return found as TypeOf[T];
}

function optionOf(options: Fields, name: string): boolean | undefined {
  const value = options[name];
  return typeof value === 'boolean' ? value : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fail(problem: Problem): never {
  throw new RequestProblem(problem);
}
