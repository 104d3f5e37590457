import type { ServedModel } from '../engines/models.ts';
import type { Api, EngineProfile } from '../engines/profile.ts';
import type { Health, ListState } from './engine-view.ts';

/** Who the engine is, as last looked at. */
export interface Identity {
  readonly profile: EngineProfile;
  readonly certainty: 'configured' | 'known' | 'guess' | 'none';
  /** How the kind is known, for a person. */
  readonly reason: string;
  readonly version: string | undefined;
  /** Where below its address the page stood that showed its kind, when its profile would look elsewhere. */
  readonly metricsPath?: string | undefined;
  readonly models: readonly ServedModel[];
  /** Why the last look at its model list brought none, or not all, for a person; absent when it brought them. */
  readonly modelsProblem?: string | undefined;
  /** What the last look at it came to: `read` when left out. */
  readonly listState?: ListState | undefined;
  /** It is no engine: another Penstock, or something that answers nothing of what an engine would. */
  readonly stranger?: 'penstock' | 'unlike' | undefined;
}

/** See `EngineView.listState`. */
export function listStateOf(identity: Identity | undefined, health: Health): ListState {
  if (identity === undefined) return 'unread';
  const { models, profile, stranger, listState = 'read' } = identity;
  const servesNone = profile.apis.length === 0 || stranger === 'unlike';
  if (models.length > 0 || servesNone) return 'read';
  // An empty list is no promise once the process that told it is gone, or begins anew.
  return listState === 'read' && health !== 'up' ? 'unread' : listState;
}

/** See `EngineView.apis`. */
export function apisOf(identity: Identity | undefined): readonly Api[] | undefined {
  if (identity === undefined || identity.profile.kind === 'generic') return undefined;
  const { certainty, profile } = identity;
  return certainty === 'known' || certainty === 'configured' ? profile.apis : undefined;
}

/** A group of engines as found at first contact. */
export interface Runtime {
  readonly name: string;
  readonly kind: string;
}

/**
 * Sticky: a dashboard made for a runtime must not lose it because a model list changed. Engines of another kind are
 * another runtime, once it is told by more than that nothing is known of them.
 */
export function runtimeAfter(
  before: Runtime | undefined,
  identity: Identity,
  engineName: string,
): Runtime | undefined {
  const { kind } = identity.profile;
  if (before !== undefined && (before.kind === kind || identity.certainty === 'none')) return before;
  const name = runtimeOf(identity, engineName);
  return name === undefined ? undefined : { name, kind };
}

/** An engine that swaps models is one runtime of its own name: its first model says nothing of the others. */
function runtimeOf({ profile, models }: Identity, name: string): string | undefined {
  const first = models[0];
  if (first === undefined) return undefined;
  const swaps = models.length > 1 && models.some(({ loaded }) => loaded !== undefined);
  return swaps ? name : `${profile.kind}-${first.id}`;
}
