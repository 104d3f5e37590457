import type { Sample } from '../exposition/exposition.ts';
import { indexPage } from './page-index.ts';
import type { EngineProfile } from './profile.ts';
import { readFamily } from './read-supply.ts';
import type { Reading, Series } from './reading.ts';
import { sampleNames } from './sample-names.ts';

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
  const families = Object.keys(profile.families).filter((name) => only?.has(name) !== false);
  const index = indexPage(profile, samples, new Set(sampleNames(profile, families)));
  const series = new Map<string, readonly Series[]>();
  for (const name of families) {
    const found = readFamily(index, name);
    if (found.length > 0) series.set(name, found);
  }
  return { series, ranks: index.ranks, modelName: index.modelName };
}
