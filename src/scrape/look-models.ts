import { loadedModelsOf, modelsOf, type ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Ask } from './ask.ts';

/** The engine's own list, with what is in memory where another path tells that. Absent when it did not answer. */
export async function readModels(
  ask: Ask,
  profile: EngineProfile,
): Promise<readonly ServedModel[] | undefined> {
  const asked = await ask(profile.modelsPath);
  if (!('answer' in asked) || asked.answer.status !== 200) return undefined;
  return readLoaded(ask, profile, modelsOf(profile.kind, asked.answer.body));
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
