import { UsageError } from '../kit/usage-error.ts';
import { findModelProfile, type ModelProfile, modelProfiles } from './model/model-profile.ts';
import type { SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';

export interface EngineSizes {
  readonly profile: ModelProfile;
  readonly maxSeqs: number;
  readonly blockTokens: number;
  /** Of one rank, whole blocks. */
  readonly kvTokens: number;
  /** Longest prompt and answer together. */
  readonly contextTokens: number;
}

/** How large an engine of this kind is. @throws UsageError for a profile there is not, or a cache too small */
export function sizesOf(kind: SimKind, settings: SimSettings): EngineSizes {
  const profile = modelProfileOf(settings.profile ?? kind.profile);
  const { blockTokens } = kind;
  const maxSeqs = settings.maxNumSeqs ?? kind.maxSeqs ?? profile.maxSeqs;
  const kvBlocks = Math.floor((settings.kvTokens ?? profile.kvTokens) / blockTokens);
  const share = kind.admission === 'slots' && settings.kvTokens !== undefined ? maxSeqs : 1;
  const contextBlocks = Math.floor(kvBlocks / share);
  if (contextBlocks < 1) {
    throw new UsageError(
      `--kv-tokens: ${settings.kvTokens} is too small for ${kind.kind}; it needs at least ${blockTokens * share}`,
    );
  }
  return {
    profile,
    maxSeqs,
    blockTokens,
    kvTokens: kvBlocks * blockTokens,
    contextTokens: Math.min(profile.contextTokens, contextBlocks * blockTokens),
  };
}

function modelProfileOf(slug: string): ModelProfile {
  const found = findModelProfile(slug);
  if (found !== undefined) return found;
  const known = modelProfiles.map((one) => one.slug).join(', ');
  throw new UsageError(`there is no model profile ${JSON.stringify(slug)}; there are: ${known}`);
}
