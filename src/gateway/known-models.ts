import type { EngineView } from '../fleet/engine-view.ts';

type ServedModel = EngineView['models'][number];

/** Name that clients may use -> model that engines serve. */
export type Aliases = Readonly<Record<string, string>>;

export interface KnownModel {
  readonly id: string;
  readonly engine: EngineView;
  readonly served: ServedModel;
}

/** The name engines know a model by; an alias of the operator's comes before a model of that name. */
export function servedName(aliases: Aliases, model: string): string {
  return Object.hasOwn(aliases, model) ? (aliases[model] ?? model) : model;
}

/** Every name a client may use now, each once: ids first, then engines' aliases, then the operator's. */
export function knownModels(engines: readonly EngineView[], aliases: Aliases): readonly KnownModel[] {
  const known = new Map<string, KnownModel>();
  const add = (id: string, engine: EngineView, served: ServedModel): void => {
    if (!known.has(id)) known.set(id, { id, engine, served });
  };
  for (const engine of engines) for (const served of engine.models) add(served.id, engine, served);
  for (const engine of engines) {
    for (const served of engine.models) for (const alias of served.aliases) add(alias, engine, served);
  }
  for (const [alias, target] of Object.entries(aliases)) {
    const model = known.get(target);
    if (model !== undefined) known.set(alias, { ...model, id: alias });
  }
  return [...known.values()];
}
