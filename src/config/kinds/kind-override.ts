import { pageUnit } from '../../catalog/page-unit.ts';
import type { KindOverride } from '../../engines/override.ts';
import type { LabelSource, Source, Supply } from '../../engines/profile.ts';
import type { FileKind, FileSource, FileSupply } from './kinds-schema.ts';

/** A kind of the file, checked, in the words of profiles: units have become scales. */
export function kindOverride(kind: string, file: FileKind): KindOverride {
  return {
    kind,
    like: file.like,
    title: file.title,
    metrics: file.metrics === undefined ? undefined : address(file.metrics.path),
    healthPath: file.health?.path,
    modelsPath: file.models?.path,
    rankLabel: file.rankLabel,
    modelLabels: file.modelLabels,
    progress: file.progress === undefined ? undefined : source(file.progress),
    families: mapped(file.families, supply),
  };
}

function address(path: string): NonNullable<KindOverride['metrics']> {
  const at = path.indexOf('?');
  return at === -1 ? { path, query: undefined } : { path: path.slice(0, at), query: path.slice(at + 1) };
}

function supply({ names, sum, each, ratio, info, sameAs, onlyWith, missing, ...rest }: FileSupply): Supply {
  if (names !== undefined) return source({ ...rest, names });
  if (sum !== undefined) return { sum: sum.map(source) };
  if (each !== undefined) return { each: each.map(source) };
  const [part, whole] = ratio ?? [];
  if (part !== undefined && whole !== undefined) return { ratio: [source(part), source(whole)] };
  if (info !== undefined) return { info: mapped(info, source) };
  if (sameAs !== undefined) return { sameAs, ...(onlyWith === undefined ? {} : { onlyWith }) };
  return { missing: missing ?? '' };
}

/** `type` was for the check: a value is read whatever its page declares. */
function source({ type: _, unit, scale, labels, ...rest }: FileSource): Source {
  const factor = scale ?? (unit === undefined ? undefined : pageUnit(unit)?.scale) ?? 1;
  return present<Source>({
    ...rest,
    labels: labels === undefined ? undefined : mapped(labels, (label) => present<LabelSource>(label)),
    scale: factor === 1 ? undefined : factor,
  });
}

type WithUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

/** Keys that say nothing are not there. */
function present<T extends object>(value: WithUndefined<T>): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;
}

function mapped<From, To>(
  record: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
