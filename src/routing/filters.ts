import type { EngineView } from '../fleet/engine-view.ts';

/** Why an engine that serves the model is not a candidate. */
export type ExclusionReason =
  | 'no-such-endpoint'
  | 'tried'
  | 'down'
  | 'loading'
  | 'breaker-open'
  | 'asleep'
  | 'model-not-loaded';

/** What a request asks for. `api` is absent where its path tells none that kinds are known by. */
export interface Wanted {
  readonly model: string;
  readonly api: NonNullable<EngineView['apis']>[number] | undefined;
  /** Another engine can take it at once: one that must wake or load the model first is none to ask. */
  readonly atOnce?: boolean;
}

export interface Exclusion {
  readonly engine: string;
  readonly reason: ExclusionReason;
}

export interface Filtered {
  readonly candidates: readonly EngineView[];
  readonly excluded: readonly Exclusion[];
}

/** Engines that list the model, under its id or an alias of theirs. */
export function servingEngines(engines: readonly EngineView[], model: string): readonly EngineView[] {
  return engines.filter((engine) => modelOf(engine, model) !== undefined);
}

/** @param serving what `servingEngines` gave; `tried`: names of engines this request already failed on */
export function filterEngines(
  serving: readonly EngineView[],
  { model, api, atOnce = false }: Wanted,
  tried: ReadonlySet<string>,
): Filtered {
  const excluded: Exclusion[] = [];
  const drop = (
    engines: readonly EngineView[],
    reason: ExclusionReason,
    unfit: (engine: EngineView) => boolean,
  ): readonly EngineView[] => {
    for (const engine of engines) if (unfit(engine)) excluded.push({ engine: engine.name, reason });
    return engines.filter((engine) => !unfit(engine));
  };
  const dropUnlessAll: typeof drop = (engines, reason, unfit) =>
    engines.every(unfit) ? engines : drop(engines, reason, unfit);

  // What is known of kinds may be older than the engine: it is a reason to prefer others, and no more.
  const able = dropUnlessAll(serving, 'no-such-endpoint', (engine) => lacksApi(engine, api));
  const untried = drop(able, 'tried', ({ name }) => tried.has(name));
  const alive = drop(untried, 'down', ({ health }) => health === 'down');
  const ready = drop(alive, 'loading', ({ health }) => health === 'loading');
  // When all have failed lately it is the requests, or the network between: refusing everything would be worse. One
  // that was tried counts as well: busy for a moment, it is no reason to send its requests to a broken one.
  const someAdmit = able.some((engine) => engine.breakerAdmits && canServe(engine));
  const trusted = drop(ready, 'breaker-open', ({ breakerAdmits }) => someAdmit && !breakerAdmits);
  // Both of these can serve, after a wait: better than a refusal, worse than any engine that is ready now.
  const dropSlow = atOnce ? drop : dropUnlessAll;
  const awake = dropSlow(trusted, 'asleep', ({ signals }) => signals?.sleeping === true);
  const candidates = dropSlow(
    awake,
    'model-not-loaded',
    (engine) => modelOf(engine, model)?.loaded === false,
  );
  return { candidates, excluded };
}

/** Whether an engine of its kind is not known to have the endpoint. */
export function lacksApi({ apis }: Pick<EngineView, 'apis'>, api: Wanted['api']): boolean {
  return api !== undefined && apis !== undefined && !apis.includes(api);
}

function canServe({ health }: EngineView): boolean {
  return health !== 'down' && health !== 'loading';
}

function modelOf(engine: EngineView, model: string): EngineView['models'][number] | undefined {
  return engine.models.find(({ id, aliases }) => id === model || aliases.includes(model));
}
