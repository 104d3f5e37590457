import type { CatalogFamily } from './family.ts';
import { llamaCppFamilies } from './kind-llama-cpp.ts';
import { sglangFamilies } from './kind-sglang.ts';
import { strataFamilies } from './kind-strata.ts';
import { trtllmFamilies } from './kind-trtllm.ts';

/** What the kinds serve beyond vLLM's names, under their own. */
export const kindFamilies: readonly CatalogFamily[] = [
  ...sglangFamilies,
  ...trtllmFamilies,
  ...llamaCppFamilies,
  ...strataFamilies,
];
