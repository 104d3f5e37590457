import type { EngineProfile } from '../../engines/profile.ts';
import type { ProfileSet } from '../../engines/profile-set.ts';
import { readSamples } from '../../engines/read.ts';
import { sampleNames } from '../../engines/sample-names.ts';
import type { Sample } from '../../exposition/exposition.ts';

/** A kind that a page has something in common with. */
export interface NearKind {
  readonly profile: EngineProfile;
  /** Families that it would read from the page, of all that it can supply. */
  readonly read: number;
  readonly supplied: number;
  /** Names of the page that are the kind's but for what stands before them. */
  readonly alike: readonly { readonly found: string; readonly like: string }[];
}

const SHOWN = 3;
/** Shorter endings (`_total`, `_count`) are anybody's. */
const TELLING_LENGTH = 8;
/** A page of more names is nobody's, whatever the rest of them is. */
const MOST_NAMES = 2_000;
const LONGEST_NAME = 200;

/** The kinds that a page of an unknown one comes nearest to, the nearest first; none that it has nothing of. */
export function nearKinds(samples: readonly Sample[], profiles: ProfileSet): readonly NearKind[] {
  const names = [...new Set(samples.map(({ name }) => name))];
  return profiles
    .map((profile) => nearKind(profile, samples, names))
    .filter(({ read, alike }) => read + alike.length > 0)
    .sort((one, other) => weight(other) - weight(one))
    .slice(0, SHOWN);
}

/** A name that is right says more than one that is nearly so. */
function weight({ read, alike }: NearKind): number {
  return 2 * read + alike.length;
}

function nearKind(profile: EngineProfile, samples: readonly Sample[], names: readonly string[]): NearKind {
  const families = Object.entries(profile.families).filter(([, supply]) => !('missing' in supply));
  const own = sampleNames(
    profile,
    families.map(([name]) => name),
  );
  const exact = new Set(own);
  const byEnding = new Map<string, string>();
  for (const name of own) {
    const ending = endingOf(name);
    if (ending.length >= TELLING_LENGTH && !byEnding.has(ending)) byEnding.set(ending, name);
  }
  const alike = names.slice(0, MOST_NAMES).flatMap((found) => {
    if (exact.has(found)) return [];
    const like = endingsOf(found)
      .map((ending) => byEnding.get(ending))
      .find((name) => name !== undefined);
    return like === undefined ? [] : [{ found, like }];
  });
  return { profile, read: readSamples(profile, samples).series.size, supplied: families.length, alike };
}

/** A name without what stands before it: `vllm:`, `my_`. */
function endingOf(name: string): string {
  return name.replace(/^[A-Za-z0-9]+(?::|_(?=\w+_))/, '');
}

/** All that a name ends in after a `_` or `:`, the whole first; of a very long name only the last. */
function endingsOf(name: string): readonly string[] {
  const endings = [name];
  for (let at = Math.max(0, name.length - LONGEST_NAME); at < name.length; at += 1) {
    if (name[at] === '_' || name[at] === ':') endings.push(name.slice(at + 1));
  }
  return endings;
}
