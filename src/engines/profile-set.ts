import type { EngineProfile } from './profile.ts';

/** The kinds that one Penstock knows, in the order detection asks them: the built-in ones, changed as a config says. */
export type ProfileSet = readonly EngineProfile[];

export function profileIn(set: ProfileSet, kind: string): EngineProfile | undefined {
  return set.find((profile) => profile.kind === kind);
}
