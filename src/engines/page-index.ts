import type { Labels, Sample } from '../exposition/exposition.ts';
import type { EngineProfile } from './profile.ts';

/** A page's samples by name, and what the whole page says of its engine. */
export interface PageIndex {
  readonly profile: EngineProfile;
  readonly byName: ReadonlyMap<string, readonly Sample[]>;
  readonly ranks: readonly string[];
  readonly modelName: string | undefined;
}

/** The rank of an engine that has none, as vLLM names it. */
export const ONLY_RANK = '0';

/** @param names the samples that count: labels of foreign families say nothing of the engine's ranks and model */
export function indexPage(
  profile: EngineProfile,
  samples: readonly Sample[],
  names: ReadonlySet<string>,
): PageIndex {
  const byName = new Map<string, Sample[]>();
  const ranks = new Set<string>();
  let modelName: string | undefined;
  for (const sample of samples) {
    if (!names.has(sample.name)) continue;
    const same = byName.get(sample.name);
    if (same === undefined) byName.set(sample.name, [sample]);
    else same.push(sample);
    const rank = rankIn(profile, sample.labels);
    if (rank !== undefined) ranks.add(rank);
    modelName ??= modelOf(profile, sample.labels);
  }
  return { profile, byName, ranks: ranks.size === 0 ? [ONLY_RANK] : [...ranks], modelName };
}

/** The model a series names; absent also where its value is the kind's word for "none". */
export function modelOf(profile: EngineProfile, labels: Labels): string | undefined {
  for (const label of profile.modelLabels) {
    const name = labels[label];
    if (name === undefined || name === '') continue;
    return name === profile.modelPlaceholder ? undefined : name;
  }
  return undefined;
}

export function rankOf(profile: EngineProfile, labels: Labels): string {
  return rankIn(profile, labels) ?? ONLY_RANK;
}

/** Labels that say which rank, or which model, a series is of: no part of what it says. */
export function isWhose(profile: EngineProfile, label: string): boolean {
  return (
    label === 'engine' ||
    label === profile.rankLabel ||
    profile.olderRankLabels?.includes(label) === true ||
    profile.modelLabels.includes(label)
  );
}

function rankIn({ rankLabel, olderRankLabels }: EngineProfile, labels: Labels): string | undefined {
  if (rankLabel === undefined) return undefined;
  const rank = labels[rankLabel];
  if (rank !== undefined || olderRankLabels === undefined) return rank;
  const older = olderRankLabels.find((label) => labels[label] !== undefined);
  return older === undefined ? undefined : labels[older];
}
