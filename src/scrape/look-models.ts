import { isRecord, jsonOf } from '../engines/marks.ts';
import { loadedModelsOf, modelsOf, type ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Ask } from './ask.ts';

export interface ModelsLook {
  /** The engine's own list; absent when it did not answer with one. */
  readonly models: readonly ServedModel[] | undefined;
  /** Why there is no model in it, and what to do, for a person; absent when there is one. */
  readonly problem: string | undefined;
  /** What the list's path answered; absent when nothing came. */
  readonly status: number | undefined;
}

/** The engine's own list, with what is in memory where another path tells that. */
export async function readModels(ask: Ask, profile: EngineProfile): Promise<ModelsLook> {
  const path = profile.modelsPath;
  const asked = await ask(path);
  if ('failure' in asked) return { models: undefined, problem: asked.failure.reason, status: undefined };
  const { answer } = asked;
  const { status } = answer;
  if (status !== 200) {
    const refused = status === 401 || status === 403;
    const problem = `GET ${path} answered ${status}${refused ? ': set or correct `key`' : ''}`;
    return { models: undefined, problem, status };
  }
  if (!isList(jsonOf(answer))) {
    return { models: undefined, problem: `GET ${path} answered with something that is no list`, status };
  }
  const models = await readLoaded(ask, profile, modelsOf(profile.kind, answer.body));
  return { models, problem: emptyProblem(models, path), status };
}

/** The same models with `loaded` as it stands now. */
export async function readLoaded(
  ask: Ask,
  { loadedPath }: EngineProfile,
  models: readonly ServedModel[],
): Promise<readonly ServedModel[]> {
  if (loadedPath === undefined) return models;
  const asked = await ask(loadedPath);
  if (!('answer' in asked) || asked.answer.status !== 200) return models;
  const loaded = new Set(loadedModelsOf(asked.answer.body));
  return models.map((model) => ({ ...model, loaded: loaded.has(model.id) }));
}

/** Why a list that came holds no model. */
export function emptyProblem(models: readonly ServedModel[], path: string): string | undefined {
  return models.length === 0 ? `the list at ${path} is empty` : undefined;
}

/** Ollama's `data` is null when it has no models. */
function isList(body: unknown): boolean {
  return isRecord(body) && (Array.isArray(body['data']) || body['data'] === null);
}
