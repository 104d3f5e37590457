import type { ApiContext } from './api.ts';

/** What an engine says that tells its kind apart. */
export interface Identity {
  /** `owned_by` in its list of models. */
  readonly ownedBy: string;
  /** On every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further paths that answer a GET with JSON. */
  readonly answers?: Readonly<Record<string, (context: ApiContext) => unknown>>;
}

/** Of the kinds whose API is the generic one; a kind that is not named owns its models under its own name. */
const identities: Readonly<Record<string, Identity>> = {};

export function identityOf(kind: string): Identity {
  return identities[kind] ?? { ownedBy: kind };
}
