import { llamaCppOwn } from './own-llama-cpp.ts';
import type { OwnMaker, OwnSizes } from './own-maker.ts';
import { sglangOwn } from './own-sglang.ts';
import { strataOwn } from './own-strata.ts';
import { trtllmOwn } from './own-trtllm.ts';

const makers: Readonly<Record<string, (sizes: OwnSizes) => OwnMaker>> = {
  sglang: sglangOwn,
  trtllm: trtllmOwn,
  'llama-cpp': llamaCppOwn,
  strata: strataOwn,
};

/** What a kind has beyond the contract moves where somebody has said how; the rest of it stays at 0. */
export function ownMakerOf(kind: string, sizes: OwnSizes): OwnMaker {
  return makers[kind]?.(sizes) ?? (() => ({}));
}
