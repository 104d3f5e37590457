import { llamaCpp } from './llama-cpp.ts';
import { ollama } from './ollama.ts';
import type { EngineProfile } from './profile.ts';
import { type ProfileSet, profileIn } from './profile-set.ts';
import { sglang } from './sglang.ts';
import { strata } from './strata.ts';
import { trtllm } from './trtllm.ts';
import { vllm } from './vllm.ts';

/** Every kind Penstock knows. Adding one is its file and its line here. */
export const profiles: ProfileSet = [vllm, sglang, llamaCpp, trtllm, strata, ollama];

export function profileOf(kind: string): EngineProfile | undefined {
  return profileIn(profiles, kind);
}

export { genericProfile } from './generic.ts';
