import { genericProfile } from './generic.ts';
import type { EngineProfile, Source, Supply } from './profile.ts';
import { type ProfileSet, profileIn } from './profile-set.ts';

/** What a config says of one kind: plain data, already checked. Absent: as the kind it is made from has it. */
export interface KindOverride {
  readonly kind: string;
  /** The kind it is made from, for a kind that is not built in; absent: it has the families that are named here alone. */
  readonly like: string | undefined;
  readonly title: string | undefined;
  readonly metrics: { readonly path: string; readonly query: string | undefined } | undefined;
  readonly healthPath: string | undefined;
  readonly modelsPath: string | undefined;
  readonly rankLabel: string | undefined;
  readonly modelLabels: readonly string[] | undefined;
  readonly progress: Source | undefined;
  /** By vLLM's current names; each takes the place of what the kind had. */
  readonly families: Readonly<Record<string, Supply>>;
}

/** The kinds as a config has them: built-in ones changed in their place, new ones behind them. */
export function withOverrides(profiles: ProfileSet, overrides: readonly KindOverride[]): ProfileSet {
  const changed = profiles.map((profile) => {
    const override = overrides.find(({ kind }) => kind === profile.kind);
    return override === undefined ? profile : overridden(profile, override);
  });
  const added = overrides
    .filter(({ kind }) => profileIn(profiles, kind) === undefined)
    .map((override) => newKind(changed, override));
  return [...changed, ...added];
}

/** The paths of an unknown engine, and no figure: whoever describes a kind alone names what it has. */
const BARE: EngineProfile = {
  ...genericProfile,
  families: {},
  kvUsageMeans: 'absent',
  latencyHistograms: false,
};

/** Nothing an engine answers points at a kind that only a config knows: the config must name it. */
function newKind(profiles: ProfileSet, override: KindOverride): EngineProfile {
  const base = override.like === undefined ? undefined : profileIn(profiles, override.like);
  const profile = overridden(base ?? BARE, override);
  return {
    ...profile,
    kind: override.kind,
    title: override.title ?? override.kind,
    verifiedAgainst: [],
    launch: [],
    detect: () => undefined,
  };
}

function overridden(base: EngineProfile, override: KindOverride): EngineProfile {
  const { title, metrics, healthPath, modelsPath, rankLabel, modelLabels, progress, families } = override;
  return {
    ...base,
    title: title ?? base.title,
    metrics: metrics === undefined ? base.metrics : metricsOf(base.metrics, metrics),
    health: healthPath === undefined ? base.health : { ...base.health, path: healthPath },
    modelsPath: modelsPath ?? base.modelsPath,
    rankLabel: rankLabel ?? base.rankLabel,
    modelLabels: modelLabels ?? base.modelLabels,
    progress: progress ?? base.progress,
    kvUsageMeans: kvUsageMeans(base, families[KV_USAGE]),
    latencyHistograms: latencyHistograms(base, families),
    families: { ...base.families, ...families },
    // A page is written from what was checked, which this is not.
    page: undefined,
  };
}

type Metrics = NonNullable<EngineProfile['metrics']>;

const ANY_PAGE = { accept: 'text/plain; version=0.0.4', guarded: true, onByDefault: true } as const;

/** The query of the base belongs to the path of the base. */
function metricsOf(
  base: EngineProfile['metrics'],
  { path, query }: NonNullable<KindOverride['metrics']>,
): Metrics {
  const { query: _, ...rest }: Omit<Metrics, 'path'> = base ?? ANY_PAGE;
  return { ...rest, path, ...(query === undefined ? {} : { query }) };
}

const KV_USAGE = 'vllm:kv_cache_usage_perc';

function kvUsageMeans(base: EngineProfile, supply: Supply | undefined): EngineProfile['kvUsageMeans'] {
  if (supply === undefined) return base.kvUsageMeans;
  if ('missing' in supply) return 'absent';
  return base.kvUsageMeans === 'absent' ? 'pool' : base.kvUsageMeans;
}

/** Where the gateway stands in for an engine's own histograms: under the same names, so never beside them. */
const LATENCY = [
  'vllm:time_to_first_token_seconds',
  'vllm:inter_token_latency_seconds',
  'vllm:e2e_request_latency_seconds',
];

function latencyHistograms(base: EngineProfile, families: KindOverride['families']): boolean {
  if (!LATENCY.some((name) => families[name] !== undefined)) return base.latencyHistograms;
  return LATENCY.some((name) => {
    const supply = families[name] ?? base.families[name];
    return supply !== undefined && !('missing' in supply);
  });
}
