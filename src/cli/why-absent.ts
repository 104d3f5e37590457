import type { Supply } from '../engines/profile.ts';

/** Why a kind does not have a family, or no longer: a sentence for a person. Undefined where it is simply not there. */
export function whyAbsent(supply: Supply): string | undefined {
  if ('missing' in supply) return supply.missing;
  if (!('firstOf' in supply)) return undefined;
  return supply.firstOf.map(whyAbsent).find((reason) => reason !== undefined);
}
