import { familyOf } from '../../catalog/index.ts';
import { genericProfile } from '../../engines/index.ts';
import type { EngineProfile } from '../../engines/profile.ts';
import { familiesBehind, sourcesOf } from '../../engines/sample-names.ts';
import { SIGNAL_FAMILIES, type SignalName, type Signals } from '../../engines/signals.ts';
import type { Engine, Identity } from '../../fleet/engine.ts';
import type { ContractState, Health } from '../../fleet/engine-view.ts';
import type { EngineWatch } from '../../scrape/engine-watch.ts';
import { whyAbsent } from '../why-absent.ts';
import { adviceFor, type Person } from './advice.ts';

/** What one look at an engine found; also the form of `doctor --json`. Absent values are left out there. */
export interface Finding {
  readonly name: string;
  readonly url: string;
  /** Whether it can be routed to with eyes open. */
  readonly fine: boolean;
  /** It is no engine: another Penstock, or something that answers nothing of what an engine would. */
  readonly stranger: Identity['stranger'];
  readonly kind: string;
  /** The kind as its makers write it. */
  readonly title: string;
  readonly certainty: string;
  /** How the kind is known. */
  readonly reason: string | undefined;
  readonly version: string | undefined;
  /** `unreachable`: nothing answered. `failing`: what answered says that it cannot serve. */
  readonly health: Health | 'unreachable' | 'failing';
  /** What stands in the way of requests. */
  readonly healthProblem: string | undefined;
  readonly models: readonly { readonly id: string; readonly loaded: boolean | undefined }[];
  /** Why none is listed. */
  readonly modelsProblem: string | undefined;
  readonly contract: ContractState;
  /** Why there is no metrics page, or what is wrong with it. */
  readonly pageProblem: string | undefined;
  /** Where below its address its page was found and is read, when that is not where its kind has it. */
  readonly metricsPath: string | undefined;
  readonly signals: Signals | undefined;
  /** What its profile names and its page lacks. */
  readonly missing: readonly Gap[];
  /** Signals this kind never has, or no longer, and why. */
  readonly never: readonly { readonly family: string; readonly why: string }[];
  /** What to do, most urgent first. */
  readonly advice: readonly string[];
}

export interface Gap {
  readonly family: string;
  /** The launch flag that would bring it, where one is known. */
  readonly flag: string | undefined;
  /** The first version that has it, where one is known. */
  readonly since: string | undefined;
}

const WRONG: ReadonlySet<ContractState> = new Set(['blind', 'malformed', 'stuck', 'unseen']);

/** Reads an engine after one round of its watch. */
export function findingOf(engine: Engine, watch: EngineWatch, person: Person): Finding {
  const view = engine.view();
  const { identity } = engine;
  const profile = identity?.profile ?? genericProfile;
  const health = healthOf(engine, watch);
  const reached = health === 'up';
  const missing = engine.missing.map((family) => gapOf(profile, family));
  const noModels = identity !== undefined && view.models.length === 0 && profile.apis.length > 0;
  const isNoEngine = identity?.stranger !== undefined;
  const found = {
    name: engine.name,
    url: engine.settings.url,
    fine: reached && !WRONG.has(view.contract) && identity?.certainty !== 'none' && !noModels && !isNoEngine,
    stranger: identity?.stranger,
    kind: view.kind,
    title:
      identity?.stranger === 'penstock' ? 'Penstock' : identity === undefined ? view.kind : profile.title,
    certainty: identity?.certainty ?? 'none',
    reason: identity?.reason,
    version: identity?.version,
    health,
    healthProblem: reached ? undefined : engine.contact.reason,
    models: view.models.map(({ id, loaded }) => ({ id, loaded })),
    modelsProblem: noModels ? identity.modelsProblem : undefined,
    contract: view.contract,
    pageProblem: reached ? (engine.problem ?? pageReason(engine, view.contract)) : undefined,
    metricsPath: identity?.metricsPath,
    signals: view.signals,
    missing,
    never: identity === undefined || isNoEngine ? [] : neverSupplied(profile, view.signals),
  };
  return { ...found, advice: adviceFor(found, { profile, watch, engine, person }) };
}

function healthOf(engine: Engine, { lastLook }: EngineWatch): Finding['health'] {
  const { health, missesInARow } = engine.contact;
  if (health !== 'unknown' || missesInARow === 0) return health;
  return lastLook?.state === 'failed' && lastLook.failure.status !== undefined ? 'failing' : 'unreachable';
}

function pageReason(engine: Engine, contract: ContractState): string | undefined {
  return contract === 'unseen' ? engine.pageReason : undefined;
}

/** The families of vLLM's own flags mean nothing to other kinds: there only the launch flags help. */
function gapOf(profile: EngineProfile, family: string): Gap {
  const own = profile.own.find(({ name }) => name === family)?.flag;
  const flag = own ?? (profile.kind === 'vllm' ? familyOf(family)?.flag : undefined);
  return { family, flag, since: sinceOf(profile, family) };
}

/** Of a figure that is another family's, the version that has that one. */
function sinceOf(profile: EngineProfile, family: string): string | undefined {
  const supply = profile.families[family];
  if (supply === undefined) return undefined;
  const own = sourcesOf(supply).find(({ since }) => since !== undefined)?.since;
  return (
    own ??
    familiesBehind(supply)
      .map((name) => sinceOf(profile, name))
      .find(Boolean)
  );
}

function neverSupplied({ families }: EngineProfile, signals: Signals | undefined): Finding['never'] {
  return Object.entries(SIGNAL_FAMILIES).flatMap(([signal, family]) => {
    const supply = families[family];
    const why = supply === undefined ? undefined : whyAbsent(supply);
    // What some versions have is absent only once a page shows that it is.
    const isAbsent = signals === undefined ? supply && 'missing' in supply : isUnsaid(signals, signal);
    return why !== undefined && isAbsent ? [{ family, why }] : [];
  });
}

function isUnsaid(signals: Signals, name: string): boolean {
  return signals[name as SignalName] === undefined;
}
