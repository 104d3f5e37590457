import type { ServedModel } from '../engines/models.ts';
import type { Signals } from '../engines/signals.ts';
import type { Labels } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import type { Engine } from '../fleet/engine.ts';
import type { ContractState, Health } from '../fleet/engine-view.ts';
import { engineFactFamilies } from '../metrics/engine-facts.ts';
import type { PageDeps } from './deps.ts';
import { engineFactsOf } from './engine-facts-of.ts';

/** A series of a family that has labels; a histogram's bucket counts are cumulative, +Inf is `count`. */
type RecordSeries = { readonly labels: Labels } & (
  | { readonly value: number }
  | {
      readonly count: number;
      readonly sum: number;
      readonly buckets: readonly { readonly le: number; readonly count: number }[];
    }
);

/** Own facts by metric name without `penstock:`; a plain number where the family has no labels. */
type OwnFacts = Readonly<Record<string, number | readonly RecordSeries[]>>;

interface EngineRecord {
  readonly engine_name: string;
  readonly runtime_name: string;
  readonly kind: string;
  /** How the kind is known, for a person, and how surely. */
  readonly how: string | undefined;
  readonly certainty: string | undefined;
  readonly version: string | undefined;
  readonly url: string;
  readonly health: Health;
  /** Why it is not up, or has no page. */
  readonly reason: string | undefined;
  readonly contract: ContractState;
  /** Names its profile promises and its page lacks. */
  readonly missing: readonly string[];
  readonly problem: string | undefined;
  readonly models: readonly ServedModel[];
  /** Absent while nothing is known, or it is lost. */
  readonly signals: Signals | undefined;
  readonly signals_age_seconds: number | undefined;
  /** `penstock:engine_*` of it. */
  readonly facts: OwnFacts;
}

/** What `/metrics` answers as JSON, and the Monitor page reads. */
export interface MetricsRecord {
  /** Unix seconds. */
  readonly time: number;
  /** `penstock:gateway_*`. */
  readonly gateway: OwnFacts;
  readonly engines: readonly EngineRecord[];
}

export function metricsRecord({ fleet, metrics, clock }: PageDeps): MetricsRecord {
  return {
    time: clock.wallTime() / 1_000,
    gateway: ownFacts(metrics.families(), new Set()),
    engines: fleet.engines().map(engineRecord),
  };
}

function engineRecord(engine: Engine): EngineRecord {
  const view = engine.view();
  const { identity } = engine;
  return {
    engine_name: view.name,
    runtime_name: view.runtime,
    kind: view.kind,
    how: identity?.reason,
    certainty: identity?.certainty,
    version: identity?.version,
    url: engine.settings.url,
    health: view.health,
    reason: engine.pageReason,
    contract: view.contract,
    missing: engine.missing,
    problem: engine.problem,
    models: view.models,
    signals: view.signals,
    signals_age_seconds: view.signalsAgeMs === undefined ? undefined : view.signalsAgeMs / 1_000,
    facts: ownFacts(engineFactFamilies([engineFactsOf(engine)]), WHOSE),
  };
}

/** Said once by the record around them. */
const WHOSE: ReadonlySet<string> = new Set(['engine_name', 'runtime_name', 'kind']);

function ownFacts(families: readonly WrittenFamily[], without: ReadonlySet<string>): OwnFacts {
  return Object.fromEntries(
    families.map((family) => [family.name.replace(/^penstock:/, ''), factOf(family, without)]),
  );
}

function factOf(family: WrittenFamily, without: ReadonlySet<string>): number | readonly RecordSeries[] {
  if (family.type === 'histogram') return histograms(family);
  const series = family.samples.map(({ labels, value }) => ({
    labels: Object.fromEntries(Object.entries(labels).filter(([name]) => !without.has(name))),
    value,
  }));
  const [first, ...others] = series;
  const plain = first !== undefined && others.length === 0 && Object.keys(first.labels).length === 0;
  return plain ? first.value : series;
}

/** The samples of one series stand together, from its first bucket to its count. */
function histograms({ name, samples }: WrittenFamily): readonly RecordSeries[] {
  const series: RecordSeries[] = [];
  let buckets: { le: number; count: number }[] = [];
  let sum = 0;
  for (const sample of samples) {
    const { le, ...labels } = sample.labels;
    if (sample.name === `${name}_bucket`) {
      if (le !== '+Inf') buckets.push({ le: Number(le), count: sample.value });
    } else if (sample.name === `${name}_sum`) sum = sample.value;
    else {
      series.push({ labels, count: sample.value, sum, buckets });
      buckets = [];
    }
  }
  return series;
}
