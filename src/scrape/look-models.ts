import { isRecord, jsonOf } from '../engines/marks.ts';
import { loadedModelsOf, type ModelList, modelsOf, type ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { ListState } from '../fleet/engine-view.ts';
import { withoutQuery } from '../kit/without-query.ts';
import type { Ask } from './ask.ts';

export interface ModelsLook {
  /** The engine's own list; absent when it did not answer with one. */
  readonly models: readonly ServedModel[] | undefined;
  /** Why there is no model in it, or not all of them, and what to do, for a person; absent when all is well. */
  readonly problem: string | undefined;
  readonly listState: ListState;
  /** What the list's path answered; absent when nothing came. */
  readonly status: number | undefined;
}

/** The engine's own list, with what is in memory where another path tells that. */
export async function readModels(ask: Ask, profile: EngineProfile): Promise<ModelsLook> {
  const asked = await ask(profile.modelsPath);
  const path = withoutQuery(profile.modelsPath);
  const unread = { models: undefined, listState: 'unread' } as const;
  if ('failure' in asked) return { ...unread, problem: asked.failure.reason, status: undefined };
  const { answer } = asked;
  const { status } = answer;
  if (status !== 200) {
    const refused = status === 401 || status === 403;
    const problem = `GET ${path} answered ${status}${refused ? ': set or correct `key`' : ''}`;
    return { ...unread, problem, status, ...(refused ? { listState: 'key-refused' } : {}) };
  }
  if (!isList(jsonOf(answer))) {
    return { ...unread, problem: `GET ${path} answered with something that is no list`, status };
  }
  const list = modelsOf(profile.kind, answer.body);
  const models = await readLoaded(ask, profile, list.models);
  return { models, problem: listProblem(list, profile.modelsPath), listState: 'read', status };
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

/** What is wrong with a list that came. */
export function listProblem({ models, leftOut }: ModelList, path: string): string | undefined {
  const list = `the list at ${withoutQuery(path)}`;
  if (models.length === 0) return `${list} is empty`;
  return leftOut === 0 ? undefined : `${list} is too long: ${leftOut} of its names are left out`;
}

/** Ollama's `data` is null when it has no models. */
function isList(body: unknown): boolean {
  return isRecord(body) && (Array.isArray(body['data']) || body['data'] === null);
}
