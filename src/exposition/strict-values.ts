import type { MetricType, Sample } from './exposition.ts';

/** OpenMetrics' limit of an exemplar's label names and values together, in characters. */
const MAX_EXEMPLAR_LENGTH = 128;

interface TypedFamily {
  readonly name: string;
  readonly type: MetricType;
}

/** What OpenMetrics forbids of a sample for its family's type, in words; `suffix` is what its name adds to the family's. */
export function valueProblem(
  { name, type }: TypedFamily,
  suffix: string,
  { labels, value }: Sample,
): string | undefined {
  switch (type) {
    case 'counter':
      if (suffix === '') return `the sample of counter "${name}" is called "${name}_total"`;
      return value >= 0 ? undefined : `a counter is never ${Number.isNaN(value) ? 'NaN' : 'negative'}`;
    case 'info':
      if (suffix === '') return `the sample of info "${name}" is called "${name}_info"`;
      return value === 1 ? undefined : 'the value of an info is 1';
    case 'stateset':
      if (!Object.hasOwn(labels, name))
        return `a sample of stateset "${name}" names its state in label "${name}"`;
      return value === 0 || value === 1 ? undefined : 'the value of a state is 0 or 1';
    case 'gauge':
    case 'unknown':
    case 'histogram':
    case 'gaugehistogram':
    case 'summary':
      return undefined;
  }
}

/** The same of the sample's exemplar. */
export function exemplarProblem(
  { type }: TypedFamily,
  suffix: string,
  { exemplar }: Sample,
): string | undefined {
  if (exemplar === undefined) return undefined;
  if (suffix !== '_bucket' && !(type === 'counter' && suffix === '_total')) {
    return 'an exemplar stands on a counter or a bucket only';
  }
  const letters = [...Object.entries(exemplar.labels).flat().join('')].length;
  return letters <= MAX_EXEMPLAR_LENGTH
    ? undefined
    : `the labels of an exemplar have ${MAX_EXEMPLAR_LENGTH} characters at most, these have ${letters}`;
}
