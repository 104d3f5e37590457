import type { Labels } from '../exposition/exposition.ts';

/** Equal for equal label sets, whatever their order; written as on a page: `{a="b",c="d"}`, '' without labels. */
export function labelKey(labels: Labels): string {
  const names = Object.keys(labels);
  if (names.length === 0) return '';
  const pairs = names.sort().map((name) => `${name}=${JSON.stringify(labels[name])}`);
  return `{${pairs.join(',')}}`;
}

/** `labels` without the named ones. */
export function withoutLabels(labels: Labels, names: ReadonlySet<string>): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => !names.has(name)));
}
