import {
  type Escaping,
  escapeLabelName,
  escapeMetricName,
  isLabelName,
  isMetricName,
} from './escape-name.ts';
import type { Labels, Sample } from './exposition.ts';
import { formatValue } from './format-number.ts';

/**
 * A line a sample, the same in the text format and in OpenMetrics. Without timestamps and exemplars.
 */
export function sampleLines(samples: readonly Sample[], escaping: Escaping): string {
  let lines = '';
  for (const { name, labels, value } of samples) {
    lines += `${series(name, labels, escaping)} ${formatValue(value)}\n`;
  }
  return lines;
}

/** As it stands on metadata lines. */
export function familyName(name: string, escaping: Escaping): string {
  const written = escapeMetricName(name, escaping);
  return isMetricName(written) ? written : quoted(written);
}

export function escapeHelp(help: string): string {
  return help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

/** For text that stands in quotes. */
export function escapeQuoted(value: string): string {
  if (!/[\\"\n]/.test(value)) return value;
  return escapeHelp(value).replaceAll('"', '\\"');
}

function series(name: string, labels: Labels, escaping: Escaping): string {
  const written = escapeMetricName(name, escaping);
  const pairs = labelPairs(labels, escaping);
  if (isMetricName(written)) return pairs === '' ? written : `${written}{${pairs}}`;
  return `{${quoted(written)}${pairs === '' ? '' : `,${pairs}`}}`;
}

function labelPairs(labels: Labels, escaping: Escaping): string {
  const names = Object.keys(labels);
  const plain = names.every((name) => isLabelName(name) && name !== '__name__');
  const written = plain ? names : distinctLabelNames(names, escaping);
  return names.map((name, index) => `${written[index]}=${quoted(labels[name] ?? '')}`).join(',');
}

/** Two names may become one, and a label that stands twice fails the whole scrape; so does `__name__`. */
function distinctLabelNames(names: readonly string[], escaping: Escaping): string[] {
  const taken = new Set(['__name__', ...names.filter((name) => isLabelName(name))]);
  return names.map((name) => {
    if (isLabelName(name) && name !== '__name__') return name;
    let free = escapeLabelName(name, escaping);
    while (taken.has(free)) free += '_';
    taken.add(free);
    return isLabelName(free) ? free : quoted(free);
  });
}

function quoted(text: string): string {
  return `"${escapeQuoted(text)}"`;
}
