import type { EngineProfile, Supply } from './profile.ts';
import { sourcesOf } from './sample-names.ts';
import { SIGNAL_FAMILIES, type SignalName, type Signals } from './signals.ts';

/**
 * How much of what its profile names an engine's page really has. `blind`: a mandatory signal is absent. `none`: the
 * kind has no metrics, or names neither mandatory signal. A mandatory signal that comes only with the first event makes
 * a page `partial` until then; another such one is not missed.
 */
type ContractState = 'complete' | 'partial' | 'blind' | 'none';

export interface Contract {
  readonly state: ContractState;
  /** Families, by vLLM's names, that the profile names and the page lacks; the mandatory ones first. */
  readonly missing: readonly string[];
}

const MANDATORY: readonly SignalName[] = ['running', 'waiting'];

/** `sleeping` is not among them: an engine that cannot sleep, or is too old to say so, lacks nothing. */
const OTHERS: readonly SignalName[] = [
  'kvUsage',
  'kvCapacityTokens',
  'promptTokens',
  'generationTokens',
  'prefixQueries',
  'prefixHits',
  'preemptions',
  'successes',
];

export function contractOf(profile: EngineProfile, signals: Signals): Contract {
  const isNamed = (name: SignalName): boolean => isExpected(profile, SIGNAL_FAMILIES[name]);
  if (profile.metrics === undefined || !MANDATORY.some(isNamed)) return { state: 'none', missing: [] };
  const lacking = (names: readonly SignalName[]): readonly string[] =>
    names.filter((name) => isNamed(name) && signals[name] === undefined).map((name) => SIGNAL_FAMILIES[name]);
  const mandatory = lacking(MANDATORY);
  const missing = [...mandatory, ...lacking(OTHERS).filter((name) => !isLazy(profile, name))];
  if (mandatory.some((name) => !isLazy(profile, name))) return { state: 'blind', missing };
  return { state: missing.length > 0 ? 'partial' : 'complete', missing };
}

/** A page that lacks a mandatory signal which its profile names. */
export class ContractIncompleteError extends Error {
  override readonly name = 'ContractIncompleteError';
  readonly missing: readonly string[];

  constructor(missing: readonly string[]) {
    super(`contract incomplete: ${missing.join(', ')}`);
    this.missing = missing;
  }
}

/** @throws ContractIncompleteError when running or waiting is named and absent */
export function requireContract(profile: EngineProfile, signals: Signals): void {
  const { state, missing } = contractOf(profile, signals);
  if (state !== 'blind') return;
  const mandatory = new Set(MANDATORY.map((name) => SIGNAL_FAMILIES[name]));
  throw new ContractIncompleteError(missing.filter((name) => mandatory.has(name)));
}

/** Whether the kind's pages have the family in every version and without a further flag. */
function isExpected(profile: EngineProfile, name: string): boolean {
  const supply = profile.families[name];
  return supply !== undefined && isFirm(profile, supply);
}

/** Whether it may be absent from a page that is in order. */
function isLazy(profile: EngineProfile, name: string): boolean {
  const supply = profile.families[name];
  if (supply === undefined) return false;
  if ('sameAs' in supply) return isLazy(profile, supply.sameAs);
  const sources = sourcesOf(supply);
  return sources.length > 0 && sources.every(({ lazy }) => lazy === true);
}

function isFirm(profile: EngineProfile, supply: Supply): boolean {
  if ('missing' in supply) return false;
  if ('names' in supply) return supply.optional !== true;
  if ('sameAs' in supply) return isExpected(profile, supply.sameAs);
  if ('firstOf' in supply) return supply.firstOf.some((option) => isFirm(profile, option));
  if ('each' in supply) return supply.each.some((source) => isFirm(profile, source));
  if ('sum' in supply) return supply.sum.some((source) => isFirm(profile, source));
  if ('ratio' in supply) return supply.ratio.every((source) => isFirm(profile, source));
  return Object.values(supply.info).some((source) => isFirm(profile, source));
}
