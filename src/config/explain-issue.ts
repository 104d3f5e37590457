import type { z } from 'zod';

import { nearest } from '../kit/nearest.ts';
import { withoutCredentials } from './engine-url.ts';
import { type ConfigPath, type Problem, pathText } from './problem.ts';

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/** A zod issue in a person's words. `raw` is the file as written: what `${NAME}` stood for is never shown. */
export function explainIssue(issue: Issue, schema: Schema, raw: unknown): readonly Problem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysAt(schema, path);
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, path, allowed) }));
  }
  if (issue.code === 'invalid_key')
    return [{ path, message: `as a name: ${issue.issues[0]?.message ?? issue.message}` }];
  const found = valueAt(raw, path);
  if (found === undefined) return [{ path, message: `is missing; ${expected(issue)}` }];
  return [{ path, message: `found ${foundText(found, path)}; ${expected(issue, found)}` }];
}

function unknownKey(key: string, path: ConfigPath, allowed: readonly string[]): string {
  const meant = nearest(key, allowed);
  const place = path.length === 0 ? 'here' : `in ${pathText(path)}`;
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return `no such key${hint}${hint === '' ? ';' : ''} allowed ${place}: ${allowed.join(', ')}`;
}

function expected(issue: Issue, found?: unknown): string {
  if (issue.code === 'invalid_value') {
    const allowed = issue.values.map(String);
    const meant = typeof found === 'string' ? nearest(found, allowed) : undefined;
    return `${meant === undefined ? '' : `did you mean "${meant}"? `}allowed: ${allowed.join(', ')}`;
  }
  if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? issue.message;
  if (issue.code === 'too_small') {
    return issue.origin === 'array' ? 'at least one entry is needed' : `allowed: ${issue.minimum} or more`;
  }
  if (issue.code === 'too_big') return `allowed: up to ${issue.maximum}`;
  return issue.message;
}

/** Texts and sizes bring their own words. */
const TYPES: Readonly<Record<string, string>> = {
  number: 'expected a number',
  int: 'expected a whole number',
  boolean: 'expected true or false',
  array: 'expected a list',
  object: 'expected a section of keys',
  record: 'expected a section of "name: value" lines',
};

function foundText(found: unknown, path: ConfigPath): string {
  if (found === null) return 'nothing';
  if (Array.isArray(found)) return 'a list';
  if (typeof found === 'object') return 'a section of keys';
  if (holdsSecret(path)) return typeof found === 'string' ? 'a text that is not shown' : `a ${typeof found}`;
  if (typeof found === 'string') return JSON.stringify(withoutCredentials(found));
  return `the ${typeof found} ${String(found)}`;
}

function holdsSecret(path: ConfigPath): boolean {
  const last = path.at(-1);
  return last === 'key' || (path[0] === 'keys' && !String(last).endsWith('File'));
}

function valueAt(raw: unknown, path: ConfigPath): unknown {
  let value = raw;
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Readonly<Record<string | number, unknown>>)[part];
  }
  return value;
}

/** The keys that the schema allows in the section at `path`. */
function keysAt(schema: Schema, path: ConfigPath): readonly string[] {
  let at: Schema | undefined = unwrap(schema);
  for (const part of path) {
    const def: z.core.$ZodTypeDef | undefined = at?._zod.def;
    if (def?.type === 'object') at = (def as z.core.$ZodObjectDef).shape[part];
    else if (def?.type === 'array') at = (def as z.core.$ZodArrayDef).element;
    else if (def?.type === 'record') at = (def as z.core.$ZodRecordDef).valueType;
    else return [];
    if (at !== undefined) at = unwrap(at);
  }
  const def = at?._zod.def;
  return def?.type === 'object' ? Object.keys((def as z.core.$ZodObjectDef).shape) : [];
}

function unwrap(schema: Schema): Schema {
  const def = schema._zod.def as { readonly innerType?: Schema };
  return def.innerType === undefined ? schema : unwrap(def.innerType);
}
