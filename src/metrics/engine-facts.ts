import { familyOf } from '../catalog/index.ts';
import type { Labels } from '../exposition/exposition.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { boundedLabel } from './series-set.ts';

/** What the gateway itself knows of one engine. */
export interface EngineFacts {
  readonly name: string;
  readonly runtime: string;
  readonly kind: string;
  readonly up: boolean;
  /** Of the last good page, also when the engine is lost. */
  readonly scrapeAgeMs: number | undefined;
  readonly lastDurationMs: number | undefined;
  readonly scrapes: number;
  /** By cause. */
  readonly failures: ReadonlyMap<string, number>;
  readonly restarts: number;
  readonly contract: string;
  /** Families that its profile promises and its page lacks. */
  readonly missing: readonly string[];
  readonly inFlight: number;
  readonly breaker: string;
  /** Of requests of ours, by cause. */
  readonly faults: ReadonlyMap<string, number>;
  readonly version: string | undefined;
  readonly certainty: string | undefined;
  readonly kvCapacityTokens: number | undefined;
}

type Values = readonly (readonly [value: number | undefined, labels?: Labels])[];

const IN_FLIGHT = 'penstock:engine_in_flight';

/** Family -> its series for one engine. A value that is not known is no series. */
const FACTS: Readonly<Record<string, (facts: EngineFacts) => Values>> = {
  'penstock:engine_up': ({ up }) => [[up ? 1 : 0]],
  'penstock:engine_scrape_age_seconds': ({ scrapeAgeMs }) => [[seconds(scrapeAgeMs)]],
  'penstock:engine_scrape_duration_seconds': ({ lastDurationMs }) => [[seconds(lastDurationMs)]],
  'penstock:engine_scrapes_total': ({ scrapes }) => [[scrapes]],
  'penstock:engine_scrape_failures_total': ({ failures }) =>
    [...failures].map(([reason, count]) => [count, { reason }]),
  'penstock:engine_contract_state': ({ contract }) =>
    contractStates.map((state) => [state === contract ? 1 : 0, { state }]),
  'penstock:engine_contract_missing': ({ missing }) => missing.map((family) => [1, { family }]),
  [IN_FLIGHT]: ({ inFlight }) => [[inFlight]],
  'penstock:engine_breaker_state': ({ breaker }) =>
    breakerStates.map((state) => [state === breaker ? 1 : 0, { state }]),
  'penstock:engine_faults_total': ({ faults }) => [...faults].map(([cause, count]) => [count, { cause }]),
  'penstock:engine_restarts_total': ({ restarts }) => [[restarts]],
  'penstock:engine_info': ({ version, certainty }) =>
    certainty === undefined ? [] : [[1, { version: boundedLabel(version ?? ''), certainty }]],
  'penstock:engine_kv_cache_capacity_tokens': ({ kvCapacityTokens }) => [[kvCapacityTokens]],
};

const breakerStates = familyOf('penstock:engine_breaker_state')?.labelValues?.['state'] ?? [];
const contractStates = familyOf('penstock:engine_contract_state')?.labelValues?.['state'] ?? [];

/**
 * `penstock:engine_*` of these engines.
 *
 * @param countedElsewhere names of engines whose counts stand on pages of their own: a series that two pages of one
 * discovery have would be counted twice
 */
export function engineFactFamilies(
  engines: readonly EngineFacts[],
  countedElsewhere: ReadonlySet<string> = new Set(),
): readonly WrittenFamily[] {
  return Object.keys(FACTS).flatMap((name) =>
    factFamily(name, name === IN_FLIGHT ? engines.filter((one) => !countedElsewhere.has(one.name)) : engines),
  );
}

/** Our own count for an engine that counts nothing itself: it stands on its page as an engine's own counts do. */
export function standInCounts(engine: EngineFacts): readonly WrittenFamily[] {
  return factFamily(IN_FLIGHT, [engine]);
}

function factFamily(name: string, engines: readonly EngineFacts[]): readonly WrittenFamily[] {
  const family = familyOf(name);
  const valuesOf = FACTS[name];
  const samples = engines.flatMap((engine) =>
    (valuesOf?.(engine) ?? []).flatMap(([value, labels]) =>
      value === undefined ? [] : [{ name, labels: { ...whose(engine), ...labels }, value }],
    ),
  );
  if (family === undefined || samples.length === 0) return [];
  return [{ name, type: family.type, help: family.help, unit: family.unit, samples }];
}

function whose({ name, runtime, kind }: EngineFacts): Labels {
  return { engine_name: boundedLabel(name), runtime_name: boundedLabel(runtime), kind };
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}
