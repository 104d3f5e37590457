import type { HttpManner } from './exchange.ts';
import type { JsonType, Refusal, Refusals } from './problem.ts';

/** FastAPI on uvicorn: what vLLM, SGLang and TensorRT-LLM share. */
export const uvicorn: HttpManner = {
  version: '1.1',
  headers: { server: 'uvicorn' },
  jsonType: 'application/json',
};

export const uvicornStream = { 'content-type': 'text/event-stream; charset=utf-8' };

/** Paths and methods FastAPI does not know, in its own form. */
export const fastApiRefusals: Refusals = {
  'unknown-path': () => ({ status: 404, body: { detail: 'Not Found' } }),
  'wrong-method': ({ allow }) => ({
    status: 405,
    body: { detail: 'Method Not Allowed' },
    headers: { allow: allow.join(', ') },
  }),
};

/** One entry of a pydantic error list, as Python prints it. */
export interface PydanticError {
  readonly location: string;
  readonly text: string;
}

/** The kind's own words around what pydantic found wrong. */
export function pydanticRefusals(refuse: (error: PydanticError) => Refusal): Refusals {
  const entry = (field: string, type: string, message: string, input: unknown): Refusal =>
    refuse({
      location: `body.${field}`,
      text: `{'type': '${type}', 'loc': ('body', '${field}'), 'msg': '${message}', 'input': ${pythonOf(input)}}`,
    });
  return {
    'malformed-json': ({ position }) =>
      refuse({
        location: `body.${position}`,
        text: `{'type': 'json_invalid', 'loc': ('body', ${position}), 'msg': 'JSON decode error', 'input': {}, 'ctx': {'error': 'Expecting value'}}`,
      }),
    missing: ({ field, body }) => entry(field, 'missing', 'Field required', body),
    'wrong-type': ({ field, wanted, found }) =>
      entry(field, PYDANTIC_TYPES[wanted], `Input should be a valid ${wanted}`, found),
    'unknown-field': ({ field, found }) =>
      entry(field, 'extra_forbidden', 'Extra inputs are not permitted', found),
  };
}

const PYDANTIC_TYPES: Readonly<Record<JsonType, string>> = {
  integer: 'int_parsing',
  number: 'float_parsing',
  boolean: 'bool_parsing',
  string: 'string_type',
  array: 'list_type',
  object: 'dict_type',
};

/** A JSON value as Python's repr shows it. */
function pythonOf(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(', ')}]`;
  if (typeof value === 'object') {
    return `{${Object.entries(value)
      .map(([key, item]) => `'${key}': ${pythonOf(item)}`)
      .join(', ')}}`;
  }
  return String(value);
}
