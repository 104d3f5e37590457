import type { Labels } from '../exposition/exposition.ts';

/** Equal for equal label sets, whatever their order; written as on a page: `{a="b",c="d"}`, '' without labels. */
export function labelKey(labels: Labels): string {
  const names = Object.keys(labels);
  if (names.length === 0) return '';
  const pairs = names.sort().map((name) => `${name}=${JSON.stringify(labels[name])}`);
  return `{${pairs.join(',')}}`;
}

/** Equal for equal label sets, as `labelKey` is, and many times cheaper; not for people. */
export function seriesKey(labels: Labels): string {
  let key = '';
  // The length keeps a value from looking like a name behind it.
  for (const name of Object.keys(labels).sort()) {
    const value = labels[name] ?? '';
    key += `${name}=${value.length}:${value},`;
  }
  return key;
}

/** `labels` without the named ones. */
export function withoutLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  const rest: Record<string, string> = {};
  for (const name in labels) if (!names.has(name)) rest[name] = labels[name] ?? '';
  return rest;
}
