import type { Source, Supply } from './profile.ts';

/** The same supply with every source changed. */
export function mapSources(supply: Supply, change: (source: Source) => Source): Supply {
  if ('names' in supply) return change(supply);
  if ('sum' in supply) return { sum: supply.sum.map(change) };
  if ('each' in supply) return { each: supply.each.map(change) };
  if ('firstOf' in supply) return { firstOf: supply.firstOf.map((option) => mapSources(option, change)) };
  if ('ratio' in supply) return { ratio: [change(supply.ratio[0]), change(supply.ratio[1])] };
  if ('info' in supply) {
    const parts = Object.entries(supply.info).map(([label, source]) => [label, change(source)] as const);
    return { info: Object.fromEntries(parts) };
  }
  return supply;
}

/** The same supplies under other names on the page. */
export function renamed(
  supplies: Readonly<Record<string, Supply>>,
  rename: (name: string, family: string) => readonly string[],
): Readonly<Record<string, Supply>> {
  const entries = Object.entries(supplies).map(([family, supply]) => [
    family,
    mapSources(supply, (source) => ({
      ...source,
      names: source.names.flatMap((name) => rename(name, family)),
    })),
  ]);
  return Object.fromEntries(entries);
}
