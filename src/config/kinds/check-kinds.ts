import { genericProfile, profiles } from '../../engines/index.ts';
import { type KindOverride, withOverrides } from '../../engines/override.ts';
import type { Supply } from '../../engines/profile.ts';
import { type ProfileSet, profileIn } from '../../engines/profile-set.ts';
import { familiesBehind } from '../../engines/sample-names.ts';
import { nearest } from '../../kit/nearest.ts';
import { kindNames } from '../names.ts';
import type { Problem } from '../problem.ts';
import { checkSupply } from './check-supply.ts';
import { kindOverride } from './kind-override.ts';
import type { FileKind } from './kinds-schema.ts';

/** The section `kinds`, or what is wrong in it. */
export function checkKinds(kinds: Readonly<Record<string, FileKind>>): {
  readonly kinds: readonly KindOverride[];
  readonly problems: readonly Problem[];
} {
  const problems = Object.entries(kinds).flatMap(([name, kind]) => checkKind(name, kind));
  if (problems.length > 0) return { kinds: [], problems };
  const overrides = Object.entries(kinds).map(([name, kind]) => kindOverride(name, kind));
  const set = withOverrides(profiles, overrides);
  return { kinds: overrides, problems: overrides.flatMap((override) => circles(override, set)) };
}

function checkKind(name: string, { like, families }: FileKind): readonly Problem[] {
  const path = ['kinds', name];
  const wrong = [
    ...(name === genericProfile.kind
      ? [{ path, message: 'is what an unknown engine is called; give yours a name of its own' }]
      : []),
    ...(like === undefined ? [] : checkLike(name, like)),
  ];
  const sources = Object.entries(families).flatMap(([family, supply]) =>
    checkSupply([...path, 'families', family], supply, family),
  );
  return [...wrong, ...sources];
}

function checkLike(name: string, like: string): readonly Problem[] {
  const path = ['kinds', name, 'like'];
  if (kindNames.includes(name)) {
    const message = `${name} is built in: leave "like" out to change it, or give your kind a name of its own`;
    return [{ path, message }];
  }
  if (kindNames.includes(like)) return [];
  const meant = nearest(like, kindNames);
  const hint = meant === undefined ? '' : `did you mean "${meant}"? `;
  return [{ path, message: `found "${like}"; ${hint}allowed: ${kindNames.join(', ')}` }];
}

/** A figure that is another's, which is the first's again, would be looked for without end. */
function circles({ kind, families }: KindOverride, set: ProfileSet): readonly Problem[] {
  const all = profileIn(set, kind)?.families ?? {};
  return Object.keys(families).flatMap((family) => {
    const circle = circleFrom(family, all);
    if (circle === undefined) return [];
    const message = `takes its figure from itself: ${circle.join(' -> ')}`;
    return [{ path: ['kinds', kind, 'families', family], message }];
  });
}

function circleFrom(
  family: string,
  all: Readonly<Record<string, Supply>>,
  way: readonly string[] = [],
): readonly string[] | undefined {
  if (way.includes(family)) return [...way, family];
  const supply = all[family];
  for (const one of supply === undefined ? [] : familiesBehind(supply)) {
    const circle = circleFrom(one, all, [...way, family]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
