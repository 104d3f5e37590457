/**
 * What a metrics page says, whatever format it came in.
 *
 * `info`, `stateset` and `gaugehistogram` exist in OpenMetrics only; `unknown` is what text 0.0.4 spells
 * `untyped`, and what a family without a TYPE line has.
 */
export type MetricType =
  | 'counter'
  | 'gauge'
  | 'histogram'
  | 'summary'
  | 'unknown'
  | 'info'
  | 'stateset'
  | 'gaugehistogram';

export type Labels = Readonly<Record<string, string>>;

export interface Exemplar {
  readonly labels: Labels;
  readonly value: number;
  readonly timestampMs?: number;
}

export interface Sample {
  /** As written on the page: a histogram's samples end in `_bucket`, `_sum`, `_count`. */
  readonly name: string;
  /** Unescaped. A label with an empty value is kept: only Prometheus' storage drops it. */
  readonly labels: Labels;
  readonly value: number;
  /** Absent unless the page states one. OpenMetrics' seconds are already times 1000. */
  readonly timestampMs?: number;
  readonly exemplar?: Exemplar;
}

export interface Family {
  /** As the metadata lines name it: an OpenMetrics counter lacks `_total` here. */
  readonly name: string;
  readonly type: MetricType;
  /** Unescaped; absent when the page has no HELP line for it. */
  readonly help?: string;
  readonly unit?: string;
}

export interface Exposition {
  /** In order of first mention; a family that is declared without samples is here and in no sample. */
  readonly families: readonly Family[];
  /** In the page's order. */
  readonly samples: readonly Sample[];
}

export type ExpositionFormat = 'text-0.0.4' | 'text-1.0.0' | 'openmetrics-1.0.0';

/** A page that a real Prometheus would refuse. Line and column are 1-based and point at what is wrong. */
export class ExpositionError extends Error {
  override readonly name = 'ExpositionError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${message}`);
    this.line = line;
    this.column = column;
  }
}
