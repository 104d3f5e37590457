import { aphrodite } from './aphrodite.ts';
import { dynamoFrontend } from './dynamo-frontend.ts';
import { dynamoWorker } from './dynamo-worker.ts';
import { ikLlamaCpp } from './ik-llama-cpp.ts';
import { llamaCpp } from './llama-cpp.ts';
import { llamaCppRouter } from './llama-cpp-router.ts';
import { llamaSwap } from './llama-swap.ts';
import { llmDSim } from './llm-d-sim.ts';
import { lmdeploy } from './lmdeploy.ts';
import { mindie } from './mindie.ts';
import { mistralrs } from './mistralrs.ts';
import { mlcLlm } from './mlc-llm.ts';
import { nim } from './nim.ts';
import { ollama } from './ollama.ts';
import type { EngineProfile } from './profile.ts';
import { type ProfileSet, profileIn } from './profile-set.ts';
import { rayVllm } from './ray-vllm.ts';
import { sglang } from './sglang.ts';
import { strata } from './strata.ts';
import { tgi } from './tgi.ts';
import { triton } from './triton.ts';
import { trtllm } from './trtllm.ts';
import { trtllmJson } from './trtllm-json.ts';
import { vllm } from './vllm.ts';

/**
 * Every kind Penstock knows. Adding one is its file and its line here. The first guess stands: what a page of
 * another kind's names would fit too comes before that kind, or says itself when it does not fit.
 */
export const profiles: ProfileSet = [
  vllm,
  sglang,
  // In router mode it says "llama.cpp" as well.
  llamaCppRouter,
  llamaCpp,
  trtllm,
  strata,
  ollama,
  rayVllm,
  llmDSim,
  aphrodite,
  tgi,
  lmdeploy,
  triton,
  dynamoFrontend,
  dynamoWorker,
  mistralrs,
  ikLlamaCpp,
  llamaSwap,
  mlcLlm,
  nim,
  mindie,
  trtllmJson,
];

export function profileOf(kind: string): EngineProfile | undefined {
  return profileIn(profiles, kind);
}

export { genericProfile } from './generic.ts';
