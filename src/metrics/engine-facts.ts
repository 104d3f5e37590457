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
  readonly inFlight: number;
  readonly version: string | undefined;
  readonly certainty: string | undefined;
  readonly kvCapacityTokens: number | undefined;
}

type Values = readonly (readonly [value: number | undefined, labels?: Labels])[];

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
  'penstock:engine_in_flight': ({ inFlight }) => [[inFlight]],
  'penstock:engine_restarts_total': ({ restarts }) => [[restarts]],
  'penstock:engine_info': ({ version, certainty }) =>
    certainty === undefined ? [] : [[1, { version: boundedLabel(version ?? ''), certainty }]],
  'penstock:engine_kv_cache_capacity_tokens': ({ kvCapacityTokens }) => [[kvCapacityTokens]],
};

const contractStates = familyOf('penstock:engine_contract_state')?.labelValues?.['state'] ?? [];

/** `penstock:engine_*` of these engines. */
export function engineFactFamilies(engines: readonly EngineFacts[]): readonly WrittenFamily[] {
  return Object.entries(FACTS).flatMap(([name, valuesOf]) => {
    const family = familyOf(name);
    const samples = engines.flatMap((engine) =>
      valuesOf(engine).flatMap(([value, labels]) =>
        value === undefined ? [] : [{ name, labels: { ...whose(engine), ...labels }, value }],
      ),
    );
    if (family === undefined || samples.length === 0) return [];
    return [{ name, type: family.type, help: family.help, samples }];
  });
}

function whose({ name, runtime, kind }: EngineFacts): Labels {
  return { engine_name: boundedLabel(name), runtime_name: boundedLabel(runtime), kind };
}

function seconds(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : ms / 1_000;
}
