import { dynamoFrontendOwn } from './own-dynamo-frontend.ts';
import { llamaCppOwn } from './own-llama-cpp.ts';
import { lmdeployOwn } from './own-lmdeploy.ts';
import type { OwnMaker, OwnSizes } from './own-maker.ts';
import { mistralrsOwn } from './own-mistralrs.ts';
import { sglangOwn } from './own-sglang.ts';
import { strataOwn } from './own-strata.ts';
import { tgiOwn } from './own-tgi.ts';
import { tritonOwn } from './own-triton.ts';
import { trtllmOwn } from './own-trtllm.ts';

const makers: Readonly<Record<string, (sizes: OwnSizes) => OwnMaker>> = {
  sglang: sglangOwn,
  trtllm: trtllmOwn,
  'llama-cpp': llamaCppOwn,
  'llama-cpp-router': llamaCppOwn,
  'ik-llama-cpp': llamaCppOwn,
  strata: strataOwn,
  tgi: tgiOwn,
  triton: tritonOwn,
  lmdeploy: lmdeployOwn,
  mistralrs: mistralrsOwn,
  'dynamo-frontend': dynamoFrontendOwn,
};

/** What a kind has beyond the contract moves where somebody has said how; the rest of it stays at 0. */
export function ownMakerOf(kind: string, sizes: OwnSizes): OwnMaker {
  return makers[kind]?.(sizes) ?? (() => ({}));
}
