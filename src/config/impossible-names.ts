import type { ConfigPath, Problem } from './problem.ts';

/**
 * Every key that no section can hold: an object of JavaScript takes `__proto__` for something else, and an alias or a
 * kind of that name would be lost without a word.
 */
export function impossibleNames(value: unknown, path: ConfigPath = []): readonly Problem[] {
  if (typeof value !== 'object' || value === null) return [];
  const entries: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return entries.flatMap(([key, item]) => {
    const at = [...path, key];
    return key === '__proto__'
      ? [{ path: at, message: 'this name cannot be used; choose another' }]
      : impossibleNames(item, at);
  });
}
