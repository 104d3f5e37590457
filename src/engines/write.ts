import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { emptyReading } from './empty-reading.ts';
import { labelKey } from './label-key.ts';
import { PageBuilder } from './page-builder.ts';
import type { PageContext } from './page-labels.ts';
import type { EngineProfile } from './profile.ts';
import type { Reading, Series } from './reading.ts';
import { type OwnValues, writeOwn, writeOwnAtRest } from './write-own.ts';
import { writeAlso, writeDirect, writeEach, writeRatio, writeSum } from './write-supply.ts';

/**
 * The page an engine of this kind would show: its profile run backwards.
 *
 * What is written here, the same profile reads back equal: the same series, once per process where the kind counts
 * per process, and the same signals. Every family of the kind's version is there from the first scrape, closed
 * label sets in full, whether the state has it or not. Where two families come from one figure of the page, the
 * state must agree with itself; the one that is a signal decides.
 *
 * @param reading the state under the contract's names, on the kind's bounds; `emptyReading` is where to start
 * @param own values of the kind's own families by name; those left out are at rest
 */
export function pageOf(
  profile: EngineProfile,
  reading: Reading,
  own: OwnValues = {},
): readonly WrittenFamily[] {
  if (profile.page === undefined) return [];
  const page = new PageBuilder();
  const context: PageContext = { form: profile.page, reading };
  const state = completed(profile, reading);
  const each = (write: typeof writeDirect): void => {
    for (const { family, series } of state) {
      const supply = profile.families[family.name];
      if (supply !== undefined) write({ page, context, family, series }, supply);
    }
  };
  each(writeDirect);
  each(writeAlso);
  each(writeRatio);
  writeOwn(page, context, profile.own, own);
  // After single figures, since a sum's first part takes what they leave; before splits, which only repeat them.
  each(writeSum);
  each(writeEach);
  writeOwnAtRest(page, context, profile.own);
  return page.families();
}

interface FamilyState {
  readonly family: CatalogFamily;
  readonly series: readonly Series[];
}

/** The state with what it leaves out at rest. Info and newest families have labels that no rest can guess. */
function completed(profile: EngineProfile, reading: Reading): readonly FamilyState[] {
  const rest = emptyReading(profile, { modelName: reading.modelName ?? '', ranks: reading.ranks });
  return Object.keys(profile.families).flatMap((name) => {
    const family = familyOf(name);
    if (family === undefined) return [];
    const given = reading.series.get(name) ?? [];
    const known = new Set(given.map(({ labels }) => labelKey(labels)));
    const whole = given.length > 0 && (family.ranks === 'info' || family.ranks === 'newest');
    const added = (rest.series.get(name) ?? []).filter(
      ({ labels }) => !whole && !known.has(labelKey(labels)),
    );
    return [{ family, series: [...given, ...added] }];
  });
}
