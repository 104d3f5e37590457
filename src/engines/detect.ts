import type { Exposition } from '../exposition/exposition.ts';
import { familyResolver } from '../exposition/family-of.ts';
import type { Evidence } from './evidence.ts';
import { genericProfile } from './generic.ts';
import { profiles } from './index.ts';
import type { EngineProfile } from './profile.ts';
import type { ProfileSet } from './profile-set.ts';

export interface Detection {
  readonly profile: EngineProfile;
  /** `none`: nothing points at a kind, and the profile is the generic one. */
  readonly certainty: 'known' | 'guess' | 'none';
  /** For a person. */
  readonly reason: string;
}

/** What kind of engine answered like this. What the engine says of itself beats what its page looks like. */
export function detectKind(evidence: Evidence, candidates: ProfileSet = profiles): Detection {
  let guess: Detection | undefined;
  for (const profile of candidates) {
    const mark = profile.detect(evidence);
    if (mark?.certainty === 'known') return { profile, ...mark };
    if (mark !== undefined) guess ??= { profile, ...mark };
  }
  return (
    guess ?? {
      profile: genericProfile,
      certainty: 'none',
      reason: "nothing it answered is the mark of a known engine; its page is read by vLLM's names",
    }
  );
}

/** The evidence that a metrics page gives; a page without TYPE lines gives it by its samples' names. */
export function evidenceOfPage({ families, samples }: Exposition): Pick<Evidence, 'families' | 'labels'> {
  const resolve = familyResolver(families);
  const ofSamples = [...new Set(samples.map(({ name }) => name))].map((name) => resolve(name).family);
  return {
    families: new Set([...families.map(({ name }) => name), ...ofSamples]),
    labels: new Set(samples.flatMap(({ labels }) => Object.keys(labels))),
  };
}
