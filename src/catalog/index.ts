import type { CatalogFamily } from './family.ts';
import { kindFamilies } from './kind.ts';
import { ownFamilies } from './own.ts';
import { vllmFamilies } from './vllm.ts';

const BY_NAME: ReadonlyMap<string, CatalogFamily> = new Map(
  [...vllmFamilies, ...ownFamilies, ...kindFamilies].map((family) => [family.name, family]),
);

/** What is known of a family, by the name its samples have (a counter with `_total`, a histogram without suffix). */
export function familyOf(name: string): CatalogFamily | undefined {
  return BY_NAME.get(name);
}
