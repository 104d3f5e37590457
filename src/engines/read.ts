import type { Sample } from '../exposition/exposition.ts';
import { indexPage, type PageIndex } from './page-index.ts';
import type { EngineProfile } from './profile.ts';
import { readFamily } from './read-supply.ts';
import type { Reading, Series } from './reading.ts';
import { sampleNames } from './sample-names.ts';

/** What a reading of some families of one kind needs, worked out once. */
export interface ReadPlan {
  readonly profile: EngineProfile;
  readonly families: readonly string[];
  /** The samples that count. */
  readonly names: ReadonlySet<string>;
}

/** Plans by their profile: what they say never changes, and every engine's page is read each second. */
export type ReadPlans = WeakMap<EngineProfile, ReadPlan>;

/** @param only families to read; all that the profile names when left out, and the same for all uses of `plans` */
export function readPlan(plans: ReadPlans, profile: EngineProfile, only?: ReadonlySet<string>): ReadPlan {
  const known = plans.get(profile);
  if (known !== undefined) return known;
  const families = Object.keys(profile.families).filter((name) => only?.has(name) !== false);
  const plan = { profile, families, names: new Set(sampleNames(profile, families)) };
  plans.set(profile, plan);
  return plan;
}

const WHOLE: ReadPlans = new WeakMap();

/**
 * A page in the words of the catalogue.
 *
 * By exact names, whatever their declared type: `_created` series and families without samples never count. Absent
 * stays absent.
 *
 * @param only families to read; all that the profile names when left out
 */
export function readSamples(
  profile: EngineProfile,
  samples: readonly Sample[],
  only?: ReadonlySet<string>,
): Reading {
  const plan = readPlan(only === undefined ? WHOLE : new WeakMap(), profile, only);
  return readIndexed(indexPage(profile, samples, plan.names), plan.families);
}

/** The families of a page that is indexed already. */
export function readIndexed(index: PageIndex, families: readonly string[]): Reading {
  const series = new Map<string, readonly Series[]>();
  for (const name of families) {
    const found = readFamily(index, name);
    if (found.length > 0) series.set(name, found);
  }
  return { series, ranks: index.ranks, modelName: index.modelName };
}
