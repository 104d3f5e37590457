/** How a name beyond the classic ones is written, by the words of the `escaping` parameter. */
export type Escaping = 'allow-utf-8' | 'underscores' | 'dots' | 'values';

/** Ordered as https://prometheus.io/docs/instrumenting/escaping_schemes has them. */
export const ESCAPINGS: readonly Escaping[] = ['allow-utf-8', 'underscores', 'dots', 'values'];

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

export function isMetricName(name: string): boolean {
  return METRIC_NAME.test(name);
}

export function isLabelName(name: string): boolean {
  return LABEL_NAME.test(name);
}

/**
 * A classic metric name for any text; a classic name stays, as in Prometheus' own clients, so that dashboards find
 * what they ask for. `allow-utf-8` changes nothing: the name has to be quoted.
 */
export function escapeMetricName(name: string, escaping: Escaping): string {
  return isMetricName(name) ? name : escapeName(name, escaping, /[a-zA-Z0-9_:]/);
}

/** The same of a label name, in which a colon is not allowed. */
export function escapeLabelName(name: string, escaping: Escaping): string {
  return isLabelName(name) ? name : escapeName(name, escaping, /[a-zA-Z0-9_]/);
}

function escapeName(name: string, escaping: Escaping, legal: RegExp): string {
  // No scheme has a word for the empty name, which no page may have.
  if (escaping === 'allow-utf-8' || name === '') return name || '_';
  const letters = Array.from(name, (letter, index) => {
    const keeps = legal.test(letter) && !(index === 0 && /\d/.test(letter));
    return escapeLetter(letter, keeps, escaping);
  });
  return `${escaping === 'values' ? 'U__' : ''}${letters.join('')}`;
}

function escapeLetter(letter: string, keeps: boolean, escaping: Exclude<Escaping, 'allow-utf-8'>): string {
  if (escaping === 'underscores') return keeps ? letter : '_';
  if (letter === '_') return '__';
  if (keeps) return letter;
  if (escaping === 'dots') return letter === '.' ? '_dot_' : '__';
  const code = letter.codePointAt(0) ?? 0;
  // Half of a surrogate pair is no character: a page cannot hold it.
  return code >= 0xd800 && code <= 0xdfff ? '_FFFD_' : `_${code.toString(16)}_`;
}
