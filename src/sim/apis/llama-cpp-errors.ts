import type { Exchange } from './exchange.ts';
import { faultText, type Problem, type Refusal, type Refusals, refusalOf } from './problem.ts';

/** llama-server's errors. Those of its HTTP layer have their fields in another order. */
export function llamaCppRefusal(problem: Problem, exchange: Exchange): Refusal {
  if (exchange.method === 'OPTIONS') return preflight();
  return refusalOf(REFUSALS, problem, exchange) ?? error(500, faultText(problem), 'server_error');
}

const notFound = (): Refusal => layer(404, 'File Not Found', 'not_found_error');

const REFUSALS: Refusals = {
  loading: () => layer(503, 'Loading model', 'unavailable_error'),
  unauthorized: () => layer(401, 'Invalid API Key', 'authentication_error'),
  'unknown-path': notFound,
  'wrong-method': notFound,
  'malformed-json': ({ position, empty }) => error(500, parseError(position, empty), 'server_error'),
  missing: ({ field }) => bad(MISSING[field] ?? `[json.exception.out_of_range.403] key '${field}' not found`),
  'message-without-role': ({ message }) =>
    error(
      500,
      `Failed to parse messages: Missing 'role' in message: ${JSON.stringify(message)}`,
      'server_error',
    ),
  'unknown-model': ({ model }) => bad(`model '${model}' not found`),
  'wrong-type': wrongType,
  'out-of-range': ({ field, least, found }) =>
    bad(`Field '${field}': Value must be between ${least} <= value <= 2147483647, but got ${found}`),
  'too-long': ({ promptTokens, contextTokens }) => ({
    status: 400,
    body: {
      error: {
        code: 400,
        message: `request (${promptTokens} tokens) exceeds the available context size (${contextTokens} tokens), try increasing it`,
        type: 'exceed_context_size_error',
        n_prompt_tokens: promptTokens,
        n_ctx: contextTokens,
      },
    },
  }),
};

const MISSING: Readonly<Record<string, string>> = {
  messages: "'messages' is required",
  model: 'model name is missing from the request',
  content: "All non-assistant messages must contain 'content'",
  input: '"input" or "content" must be provided',
};

function error(status: number, message: string, type: string): Refusal {
  return { status, body: { error: { code: status, message, type } } };
}

function bad(message: string): Refusal {
  return error(400, message, 'invalid_request_error');
}

function layer(status: number, message: string, type: string): Refusal {
  return { status, body: { error: { message, type, code: status } } };
}

/** Any path, known or not. */
function preflight(): Refusal {
  return {
    status: 200,
    body: '',
    headers: {
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Allow-Methods': 'GET, POST, DELETE, OPTIONS',
      'Access-Control-Allow-Headers': '*',
    },
  };
}

function parseError(position: number, empty: boolean): string {
  const at = `[json.exception.parse_error.101] parse error at line 1, column ${position + 1}`;
  return empty
    ? `${at}: attempting to parse an empty input; check that your input string or stream contains the expected JSON`
    : `${at}: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal`;
}

function wrongType({ field, wanted, found }: Extract<Problem, { type: 'wrong-type' }>): Refusal {
  if (field === 'messages') return bad("Expected 'messages' to be an array");
  if (field === 'prompt' || field === 'input') {
    const message =
      '"prompt" elements must be a string, a list of tokens, a JSON object containing a prompt string, or a list of mixed strings & tokens.';
    return field === 'prompt' ? bad(message) : error(500, message, 'server_error');
  }
  const type = wanted === 'integer' ? 'number' : wanted;
  return bad(
    `Field '${field}': [json.exception.type_error.302] type must be ${type}, but is ${jsonTypeOf(found)}`,
  );
}

function jsonTypeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
