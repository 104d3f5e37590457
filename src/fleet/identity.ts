import type { ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';

/** Who the engine is, as last looked at. */
export interface Identity {
  readonly profile: EngineProfile;
  readonly certainty: 'configured' | 'known' | 'guess' | 'none';
  /** How the kind is known, for a person. */
  readonly reason: string;
  readonly version: string | undefined;
  readonly models: readonly ServedModel[];
  /** Why the last look at its model list brought none, for a person; absent when it did. */
  readonly modelsProblem?: string | undefined;
  /** It is no engine: another Penstock, or something that answers nothing of what an engine would. */
  readonly stranger?: 'penstock' | 'unlike' | undefined;
}

/** An engine that swaps models is one runtime of its own name: its first model says nothing of the others. */
export function runtimeOf({ profile, models }: Identity, name: string): string | undefined {
  const first = models[0];
  if (first === undefined) return undefined;
  const swaps = models.length > 1 && models.some(({ loaded }) => loaded !== undefined);
  return swaps ? name : `${profile.kind}-${first.id}`;
}
