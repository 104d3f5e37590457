import type { ModelList, ServedModel } from '../engines/models.ts';
import type { Engine, Identity } from '../fleet/engine.ts';
import type { Clock } from '../kit/clock.ts';
import type { Ask } from './ask.ts';
import { listProblem, readLoaded, readModels } from './look-models.ts';

const LIST_EVERY_MS = 30_000;
/** Until an engine that takes requests has told its models none can be routed to it. */
const UNREAD_EVERY_MS = 5_000;
const LOADED_EVERY_MS = 5_000;

/** When an engine's model list is read, beside the looks at who it is, and what of it is kept. */
export class ModelsWatch {
  readonly #clock: Clock;
  readonly #engine: Engine;
  #listAt = Number.NEGATIVE_INFINITY;
  #loadedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, engine: Engine) {
    this.#clock = clock;
    this.#engine = engine;
  }

  get isDue(): boolean {
    const { listState, health } = this.#engine.view();
    const everyMs = listState !== 'read' && health === 'up' ? UNREAD_EVERY_MS : LIST_EVERY_MS;
    return this.#clock.now() - this.#listAt >= everyMs;
  }

  get isLoadedDue(): boolean {
    return this.#clock.now() - this.#loadedAt >= LOADED_EVERY_MS;
  }

  /** A look has just asked for the list, whatever came. */
  wasAsked(): void {
    this.#listAt = this.#clock.now();
    this.#loadedAt = this.#listAt;
  }

  /** The scrape of this identity's pages has read the list on its way. */
  wasRead(list: ModelList, identity: Identity): void {
    this.#listAt = this.#clock.now();
    const modelsProblem = listProblem(list, identity.profile.modelsPath);
    this.#keep(identity, { models: list.models, modelsProblem, listState: 'read' });
  }

  async read(ask: Ask): Promise<void> {
    const { identity } = this.#engine;
    if (identity === undefined) return;
    this.wasAsked();
    const { models = identity.models, problem, listState } = await readModels(ask, identity.profile);
    this.#keep(identity, { models, modelsProblem: problem, listState });
  }

  async readLoaded(ask: Ask): Promise<void> {
    const { identity } = this.#engine;
    if (identity === undefined) return;
    this.#loadedAt = this.#clock.now();
    const models: readonly ServedModel[] = await readLoaded(ask, identity.profile, identity.models);
    this.#keep(identity, { models });
  }

  /** A look may have found another engine meanwhile. */
  #keep(identity: Identity, change: Partial<Identity>): void {
    if (this.#engine.identity === identity) this.#engine.identify({ ...identity, ...change });
  }
}
