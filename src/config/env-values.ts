import type { EnvText } from './expand-env.ts';
import { type ConfigPath, samePath } from './problem.ts';

/** What zod says of a text where it wants something else. */
interface WrongType {
  readonly path: readonly PropertyKey[];
  readonly code?: string | undefined;
  readonly expected?: unknown;
}

/**
 * The same content, with a variable's text as the number or the `true` and `false` that the schema wants there:
 * `port: ${PORT}`. Absent when there is nothing of the sort.
 */
export function withEnvValues(
  content: unknown,
  issues: readonly WrongType[],
  texts: readonly EnvText[],
): unknown {
  let changed: unknown;
  for (const { path, code, expected } of issues) {
    const text = texts.find((one) => one.isWhole && samePath(one.path, path));
    const value = code !== 'invalid_type' || text === undefined ? undefined : readAs(expected, text.value);
    if (text !== undefined && value !== undefined) changed = withValue(changed ?? content, text.path, value);
  }
  return changed;
}

function readAs(expected: unknown, text: string): number | boolean | undefined {
  const plain = text.trim();
  if (expected === 'boolean') return plain === 'true' ? true : plain === 'false' ? false : undefined;
  const isNumber = (expected === 'number' || expected === 'int') && /^-?\d+(?:\.\d+)?$/.test(plain);
  return isNumber ? Number(plain) : undefined;
}

function withValue(content: unknown, [first, ...rest]: ConfigPath, value: unknown): unknown {
  if (first === undefined) return value;
  if (Array.isArray(content))
    return content.map((item, at) => (at === first ? withValue(item, rest, value) : item));
  const section = content as Readonly<Record<string, unknown>>;
  return { ...section, [first]: withValue(section[first], rest, value) };
}
