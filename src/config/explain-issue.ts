import type { z } from 'zod';

import { nearest } from '../kit/nearest.ts';
import { withoutCredentials } from './engine-url.ts';
import type { EnvText } from './expand-env.ts';
import { type ConfigPath, type Problem, pathText, samePath } from './problem.ts';
import { keysOf, type Schema, schemaOf } from './schema-at.ts';

type Issue = z.core.$ZodIssue;

interface File {
  readonly schema: Schema;
  /** As written: what `${NAME}` stood for is never shown. */
  readonly raw: unknown;
  readonly texts: readonly EnvText[];
}

/** A zod issue in a person's words. */
export function explainIssue(issue: Issue, { schema, raw, texts }: File): readonly Problem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part));
  if (issue.code === 'unrecognized_keys') {
    const allowed = keysOf(path.reduce<Schema | undefined>(schemaOf, schema));
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(key, path, allowed) }));
  }
  if (issue.code === 'invalid_key')
    return [{ path, message: `as a name: ${issue.issues[0]?.message ?? issue.message}` }];
  const found = valueAt(raw, path);
  if (found === undefined) return [{ path, message: `is missing; ${expected(issue)}` }];
  const odd = texts.find((text) => samePath(text.path, path))?.oddities ?? [];
  const where = odd.length === 0 ? '' : `, where ${odd.join(' and ')}`;
  const wanted = writtenAs(path, found) ?? expected(issue, found);
  return [{ path, message: `found ${foundText(found, path)}${where}; ${wanted}` }];
}

/** What a person forgot who wrote an engine's address alone. */
function writtenAs(path: ConfigPath, found: unknown): string | undefined {
  if (path[0] !== 'engines' || path.length > 2 || typeof found !== 'string') return undefined;
  const line = `"- url: ${withoutCredentials(found)}"`;
  return path.length === 1 ? `expected a list: ${line} on a line below` : `write ${line}`;
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
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list';
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
