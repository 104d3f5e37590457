import type { Engine, Identity } from '../fleet/engine.ts';
import type { ContractState, Health } from '../fleet/engine-view.ts';
import type { Log } from '../kit/log.ts';
import { nameList } from '../kit/name-list.ts';

/** What of an engine is worth a line when it changes. */
export interface EngineState {
  readonly health: Health;
  readonly contract: ContractState;
  readonly kind: string | undefined;
  readonly version: string | undefined;
  readonly restarts: number;
  /** It is alive and has no page to show. */
  readonly pageLost: boolean;
  /** Nothing can be routed to it, and why. */
  readonly noModels: string | undefined;
  /** Its list is longer than is kept. */
  readonly tooManyModels: string | undefined;
  readonly isPenstock: boolean;
}

export function stateOf(engine: Engine): EngineState {
  const { health, contract } = engine.view();
  return {
    health,
    contract,
    kind: engine.identity?.profile.kind,
    version: engine.identity?.version,
    restarts: engine.counts.restarts,
    pageLost: health === 'up' && contract === 'unseen' && engine.pageReason !== undefined,
    noModels: noModels(engine.identity),
    tooManyModels: tooManyModels(engine.identity),
    isPenstock: engine.identity?.stranger === 'penstock',
  };
}

/** A kind that serves no requests needs no models. */
function noModels(identity: Identity | undefined): string | undefined {
  if (identity === undefined || identity.models.length > 0 || identity.profile.apis.length === 0)
    return undefined;
  return identity.modelsProblem ?? 'it lists none';
}

function tooManyModels({ models, modelsProblem, listState }: Partial<Identity> = {}): string | undefined {
  return models !== undefined && models.length > 0 && listState === 'read' ? modelsProblem : undefined;
}

const TROUBLE: ReadonlySet<ContractState> = new Set(['blind', 'stuck', 'malformed']);

/** One line for each change, none for what stays: a lost engine is not logged each second. */
export function logChanges(log: Log, engine: Engine, before: EngineState, now: EngineState): void {
  const { identity } = engine;
  if (now.health !== before.health) {
    const facts = { engine: engine.name, url: engine.settings.url };
    if (now.health === 'down') {
      // What never answered anything was not there to be lost.
      const message = engine.contactAgeMs === undefined ? 'engine not reached' : 'engine lost';
      log.warn(message, { ...facts, reason: engine.contact.reason });
    }
    if (now.health === 'loading') log.info('engine is loading', { ...facts, reason: engine.contact.reason });
    if (now.health === 'up')
      log.info('engine is up', { ...facts, ...(identity === undefined ? {} : said(engine)) });
  } else if (identity !== undefined && (now.kind !== before.kind || now.version !== before.version)) {
    log.info('engine changed', { engine: engine.name, ...said(engine) });
  }
  if (now.restarts > before.restarts) log.info('engine restarted', { engine: engine.name });
  if (now.pageLost && !before.pageLost) {
    log.warn('engine has no metrics page', { engine: engine.name, reason: engine.pageReason });
  }
  if (now.noModels !== undefined && before.noModels === undefined) {
    log.warn('engine lists no models', { engine: engine.name, reason: now.noModels });
  }
  if (now.tooManyModels !== undefined && before.tooManyModels === undefined) {
    log.warn('engine lists too many models', { engine: engine.name, reason: now.tooManyModels });
  }
  if (now.isPenstock && !before.isPenstock) {
    const todo = 'name the engines behind it in the config instead';
    log.warn('engine is a Penstock gateway', { engine: engine.name, url: engine.settings.url, todo });
  }
  if (now.contract !== before.contract && now.contract !== 'unseen') {
    const fields = {
      engine: engine.name,
      contract: now.contract,
      before: before.contract,
      missing: engine.missing.length > 0 ? engine.missing.join(', ') : undefined,
      problem: engine.problem,
    };
    if (TROUBLE.has(now.contract)) log.warn('engine contract changed', fields);
    else log.info('engine contract changed', fields);
  }
}

function said({ identity }: Engine): Record<string, unknown> {
  return {
    kind: identity?.profile.kind,
    how: identity?.reason,
    version: identity?.version,
    models: identity === undefined ? undefined : nameList(identity.models.map(({ id }) => id)),
  };
}
