import { profileOf } from '../engines/index.ts';
import { UsageError } from '../kit/usage-error.ts';
import { allSimKinds, type SimKind } from './sim-kinds.ts';
import type { SimSettings } from './sim-settings.ts';

/** The kind to be, able to do all that is asked of it. @throws UsageError */
export function simKindOf(settings: SimSettings): SimKind {
  const { kind } = settings;
  const found = allSimKinds.find((one) => one.kind === kind);
  if (found === undefined) {
    const known = allSimKinds.map((one) => one.kind).join(', ');
    throw new UsageError(`no engine of kind ${JSON.stringify(kind)} can be simulated; there are: ${known}`);
  }
  if (settings.ranks > 1 && profileOf(kind)?.rankLabel === undefined) {
    throw new UsageError(
      `--ranks: ${kind} has no data-parallel ranks that its metrics tell apart; leave it at 1`,
    );
  }
  if ((settings.adapters ?? []).length > 0 && !found.listsAdapters) {
    throw new UsageError(
      `--lora: ${kind} has no adapters in its list of models; ${able((one) => one.listsAdapters)} have`,
    );
  }
  if (settings.kvCacheMetrics !== undefined && !measuresBlocks(found)) {
    throw new UsageError(
      `--kv-cache-metrics: ${kind} does not measure the lives of its KV blocks; ${able(measuresBlocks)} can`,
    );
  }
  return found;
}

function able(can: (kind: SimKind) => boolean): string {
  return allSimKinds
    .filter(can)
    .map(({ kind }) => kind)
    .join(', ');
}

export function measuresBlocks({ kind }: SimKind): boolean {
  const supply = profileOf(kind)?.families['vllm:kv_block_lifetime_seconds'];
  return supply !== undefined && 'names' in supply;
}
