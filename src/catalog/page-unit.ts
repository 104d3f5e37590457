import type { Unit } from './family.ts';

/** What a page's value is in, and how it becomes one of the catalogue's units: page value times `scale`. */
export interface PageUnit {
  readonly unit: Unit;
  readonly scale: number;
}

/** Every word that may name the unit of a page's values, the catalogue's own among them. */
const PAGE_UNITS: ReadonlyMap<string, PageUnit> = new Map<string, PageUnit>([
  ...same('requests', 'tokens', 'blocks', 'items', 'events', 'state', 'none', 'unix seconds'),
  ...scaled('seconds', {
    seconds: 1,
    s: 1,
    milliseconds: 1e-3,
    ms: 1e-3,
    microseconds: 1e-6,
    us: 1e-6,
    nanoseconds: 1e-9,
    ns: 1e-9,
    minutes: 60,
  }),
  ...scaled('ratio', { ratio: 1, percent: 1e-2, '%': 1e-2 }),
  ...scaled('bytes', { bytes: 1, KB: 1e3, MB: 1e6, GB: 1e9, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }),
  ...scaled('flops', { flops: 1, gigaflops: 1e9, teraflops: 1e12 }),
]);

export const pageUnitNames: readonly string[] = [...PAGE_UNITS.keys()];

/** Undefined for a word that names no unit. */
export function pageUnit(word: string): PageUnit | undefined {
  return PAGE_UNITS.get(word);
}

/** The words for units that can become this one, its own name first. */
export function unitsFor(unit: Unit): readonly string[] {
  return pageUnitNames.filter((word) => PAGE_UNITS.get(word)?.unit === unit);
}

function same(...units: readonly Unit[]): readonly [string, PageUnit][] {
  return units.map((unit) => [unit, { unit, scale: 1 }]);
}

function scaled(unit: Unit, scales: Readonly<Record<string, number>>): readonly [string, PageUnit][] {
  return Object.entries(scales).map(([word, scale]) => [word, { unit, scale }]);
}
