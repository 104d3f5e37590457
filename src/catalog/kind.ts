import type { CatalogFamily } from './family.ts';
import { dynamoFrontendFamilies, dynamoWorkerFamilies } from './kind-dynamo.ts';
import { llamaCppFamilies } from './kind-llama-cpp.ts';
import { llamaSwapFamilies } from './kind-llama-swap.ts';
import { lmdeployFamilies } from './kind-lmdeploy.ts';
import { mistralrsFamilies } from './kind-mistralrs.ts';
import { rayFamilies } from './kind-ray.ts';
import { sglangFamilies } from './kind-sglang.ts';
import { strataFamilies } from './kind-strata.ts';
import { tgiFamilies } from './kind-tgi.ts';
import { tritonFamilies } from './kind-triton.ts';
import { trtllmFamilies } from './kind-trtllm.ts';

/** What the kinds serve beyond vLLM's names, under their own. */
export const kindFamilies: readonly CatalogFamily[] = [
  ...sglangFamilies,
  ...trtllmFamilies,
  ...llamaCppFamilies,
  ...strataFamilies,
  ...rayFamilies,
  ...tgiFamilies,
  ...lmdeployFamilies,
  ...tritonFamilies,
  ...dynamoFrontendFamilies,
  ...dynamoWorkerFamilies,
  ...mistralrsFamilies,
  ...llamaSwapFamilies,
];
