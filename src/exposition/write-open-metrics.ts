import { type Escaping, escapeMetricName } from './escape-name.ts';
import type { MetricType } from './exposition.ts';
import { type LinedFamily, type Lines, openMetricsPlan } from './open-metrics-plan.ts';
import { fitsOpenMetrics } from './open-metrics-shape.ts';
import { escapeQuoted, familyName, sampleLines } from './write-lines.ts';
import type { WrittenFamily } from './write-text.ts';

/**
 * A page in OpenMetrics 1.0.0: https://prometheus.io/docs/specs/om/open_metrics_spec/
 *
 * Every series has the name that it has in the text format. A family that OpenMetrics does not allow as it is (a
 * counter without `_total`, a histogram read in the middle of a change, two families that would share a name, as
 * gauge `x` and counter `x_total` do) is written as families of unknown type, so that nothing of it is lost or
 * refused. The page keeps strict mode's rules if no series comes twice.
 */
export function writeOpenMetrics(
  families: Iterable<WrittenFamily>,
  escaping: Escaping = 'underscores',
): string {
  const lined = Array.from(families, (family) => linedFamily(family, escaping));
  return [...openMetricsChunks(lined, escaping)].join('');
}

/** The same in parts, for families whose sample lines are written already. */
export function* openMetricsChunks(
  families: Iterable<LinedFamily>,
  escaping: Escaping = 'underscores',
): Iterable<Lines> {
  for (const { parts, ...family } of openMetricsPlan(families)) {
    yield head(family, escaping);
    yield* parts;
  }
  yield '# EOF\n';
}

/** A family with its samples as lines: what the text format and OpenMetrics have in common. */
export function linedFamily({ samples, ...family }: WrittenFamily, escaping: Escaping): LinedFamily {
  const name = escapeMetricName(family.name, escaping);
  const named = samples.map((sample) => ({ ...sample, name: escapeMetricName(sample.name, escaping) }));
  const fits = fitsOpenMetrics({ name, type: family.type }, named);
  return { ...family, name, lines: sampleLines(named, escaping), fits };
}

interface Head {
  readonly name: string;
  readonly type: MetricType;
  readonly help: string | undefined;
  readonly unit: string | undefined;
}

function head({ name, type, help, unit }: Head, escaping: Escaping): string {
  const written = familyName(name, escaping);
  const stated = unit !== undefined && name.endsWith(`_${unit}`) && type !== 'info' && type !== 'stateset';
  return [
    `# TYPE ${written} ${type}\n`,
    stated ? `# UNIT ${written} ${unit}\n` : '',
    help === undefined ? '' : `# HELP ${written} ${escapeQuoted(help)}\n`,
  ].join('');
}
