import type { CatalogFamily } from './family.ts';
import { ownEngineFamilies } from './own-engine.ts';
import { ownGatewayFamilies } from './own-gateway.ts';

/** Penstock's own facts, all under `penstock:`. */
export const ownFamilies: readonly CatalogFamily[] = [...ownEngineFamilies, ...ownGatewayFamilies];
