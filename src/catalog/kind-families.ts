import type { CatalogFamily, RankRule, Unit } from './family.ts';

/** What most kind families say of themselves: name, type, unit, rank rule, help. */
export type KindRow = readonly [
  name: string,
  type: CatalogFamily['type'],
  unit: Unit,
  ranks: RankRule,
  help: string,
  more?: Partial<CatalogFamily>,
];

/** Rows to families: these tables are long and mostly without labels. */
export function kindFamiliesOf(prefix: string, rows: readonly KindRow[]): readonly CatalogFamily[] {
  return rows.map(([name, type, unit, ranks, help, more]) => ({
    name: prefix + name,
    type,
    unit,
    labels: [],
    help,
    ranks,
    ...more,
  }));
}
