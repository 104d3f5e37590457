import { familyOf } from '../../catalog/index.ts';
import { genericProfile } from '../../engines/index.ts';
import type { EngineProfile, LaunchFlag } from '../../engines/profile.ts';
import { SIGNAL_FAMILIES, type Signals } from '../../engines/signals.ts';
import type { Engine } from '../../fleet/engine.ts';
import type { ContractState, Health } from '../../fleet/engine-view.ts';

/** What one look at an engine found; also the form of `doctor --json`. Absent values are left out there. */
export interface Finding {
  readonly name: string;
  readonly url: string;
  /** Whether it can be routed to with eyes open. */
  readonly fine: boolean;
  readonly kind: string;
  /** The kind as its makers write it. */
  readonly title: string;
  readonly certainty: string;
  /** How the kind is known. */
  readonly reason: string | undefined;
  readonly version: string | undefined;
  readonly health: Health | 'unreachable';
  /** What stands in the way of its answers or its page. */
  readonly problem: string | undefined;
  readonly models: readonly { readonly id: string; readonly loaded: boolean | undefined }[];
  readonly contract: ContractState;
  readonly signals: Signals | undefined;
  /** What its profile names and its page lacks. */
  readonly missing: readonly Gap[];
  /** Signals this kind never has, and why. */
  readonly never: readonly { readonly family: string; readonly why: string }[];
  /** What to do, most urgent first. */
  readonly advice: readonly string[];
}

export interface Gap {
  readonly family: string;
  /** The launch flag that would bring it, where one is known. */
  readonly flag: string | undefined;
}

const WRONG: ReadonlySet<ContractState> = new Set(['blind', 'malformed', 'stuck', 'unseen']);

/** Reads an engine after one round of its watch. */
export function findingOf(engine: Engine): Finding {
  const view = engine.view();
  const { identity } = engine;
  const profile = identity?.profile ?? genericProfile;
  const health = view.health === 'unknown' && engine.contact.missesInARow > 0 ? 'unreachable' : view.health;
  const reached = health === 'up';
  const missing = engine.missing.map((family) => ({ family, flag: flagFor(profile, family) }));
  return {
    name: engine.name,
    url: engine.settings.url,
    fine: reached && !WRONG.has(view.contract) && identity?.certainty !== 'none',
    kind: view.kind,
    title: identity === undefined ? view.kind : profile.title,
    certainty: identity?.certainty ?? 'none',
    reason: identity?.reason,
    version: identity?.version,
    health,
    problem: engine.problem ?? engine.pageReason ?? engine.contact.reason,
    models: view.models.map(({ id, loaded }) => ({ id, loaded })),
    contract: view.contract,
    signals: view.signals,
    missing,
    never: identity === undefined ? [] : neverSupplied(profile),
    advice: adviceFor(engine, profile, reached, missing),
  };
}

/** The families of vLLM's own flags mean nothing to other kinds: there only the launch flags help. */
function flagFor(profile: EngineProfile, family: string): string | undefined {
  const own = profile.own.find(({ name }) => name === family)?.flag;
  return own ?? (profile.kind === 'vllm' ? familyOf(family)?.flag : undefined);
}

function neverSupplied({ families }: EngineProfile): Finding['never'] {
  return Object.values(SIGNAL_FAMILIES).flatMap((family) => {
    const supply = families[family];
    return supply !== undefined && 'missing' in supply ? [{ family, why: supply.missing }] : [];
  });
}

function adviceFor(
  engine: Engine,
  profile: EngineProfile,
  reached: boolean,
  missing: readonly Gap[],
): readonly string[] {
  const advice: string[] = [];
  const { contract } = engine.view();
  const { identity } = engine;
  if (!reached && engine.contact.health !== 'loading') {
    advice.push(`check that the engine runs and that ${engine.settings.url} is its address, without /v1`);
  }
  if (identity?.certainty === 'none') {
    advice.push('its kind could not be told: set "kind" in the config');
  } else if (identity?.certainty === 'guess') {
    advice.push(`its kind is a guess: set "kind: ${profile.kind}" in the config if it is right`);
  }
  const needed = profile.launch.filter((launch) => launch.needed);
  if (reached && identity !== undefined && (contract === 'unseen' || contract === 'blind')) {
    advice.push(...needed.map(launchAdvice));
  }
  const flags = new Set(missing.flatMap(({ flag }) => (flag === undefined ? [] : [flag])));
  if (flags.size > 0) advice.push(`for what is missing, start it with ${[...flags].join(' ')}`);
  if (reached && identity !== undefined && identity.models.length === 0) {
    advice.push('it lists no model: no request can be routed to it');
  }
  return advice;
}

/** Some flags must be left out: the profile writes them as `(no --flag)`. */
function launchAdvice({ flag, brings }: LaunchFlag): string {
  const unwanted = /^\(no (.+)\)$/.exec(flag)?.[1];
  return `start it ${unwanted === undefined ? `with ${flag}` : `without ${unwanted}`}: ${brings}`;
}
