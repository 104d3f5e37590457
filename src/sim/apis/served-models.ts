import { hash32 } from '../../kit/hash.ts';
import type { Work } from '../life.ts';
import type { ApiContext } from './api.ts';

type Served = Pick<ApiContext, 'model' | 'adapters'>;

/** One entry of the list of models; an adapter has the base model as its parent. */
export interface ServedModel {
  readonly id: string;
  readonly parent: string | undefined;
}

export function modelsOf({ model, adapters }: Served): readonly ServedModel[] {
  return [{ id: model, parent: undefined }, ...adapters.map((id) => ({ id, parent: model }))];
}

/** The name an answer carries: the adapter's that was asked for, else the model's. */
export function servedName({ model, adapters }: Served, asked: string | undefined): string {
  return asked !== undefined && adapters.includes(asked) ? asked : model;
}

/** The work with its adapter: what one adapter has computed is no prefix of another's. */
export function withAdapter(work: Work, { adapters }: Served, asked: string | undefined): Work {
  if (asked === undefined || !adapters.includes(asked)) return work;
  const [first, ...rest] = work.promptBlocks;
  // Blocks are chained from the first: it alone tells two prompts apart.
  const blocks = first === undefined ? [] : [(first + hash32(asked)) % Number.MAX_SAFE_INTEGER, ...rest];
  return { ...work, promptBlocks: blocks, adapter: asked };
}
