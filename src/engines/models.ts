import { isRecord } from './marks.ts';

type Entry = Readonly<Record<string, unknown>>;

/** One model an engine serves, as its own list says. */
export interface ServedModel {
  readonly id: string;
  /** Other names the engine takes for it. */
  readonly aliases: readonly string[];
  /** Longest context of a request, where the list says. */
  readonly maxModelTokens: number | undefined;
  /** Whether it is in memory, where the list says. */
  readonly loaded: boolean | undefined;
  /** Unix seconds, as the list has it. */
  readonly created: number | undefined;
}

/** Each request looks for its model among all of an engine's, and its list is read again and again. */
export const MAX_MODELS = 10_000;
/** Of all models of an engine together. */
export const MAX_ALIASES = 10_000;

export interface ModelList {
  /** Each id once, up to `MAX_MODELS` with `MAX_ALIASES` other names. */
  readonly models: readonly ServedModel[];
  /** Entries and aliases of the list that are not in `models` since there are too many. */
  readonly leftOut: number;
}

/** Whatever else a list holds, an entry without an id is none. Nothing readable: no models. */
export function modelsOf(kind: string, body: string): ModelList {
  const entries = entriesOf(body, 'data');
  const aliases = aliasesOfOthers(entries);
  const models = new Map<string, ServedModel>();
  let leftOut = 0;
  let aliasesLeft = MAX_ALIASES;
  for (const entry of entries) {
    const id = entry['id'];
    if (typeof entry['alias_of'] === 'string' || typeof id !== 'string' || id === '' || models.has(id))
      continue;
    if (models.size === MAX_MODELS) {
      leftOut += 1;
      continue;
    }
    const others = new Set([
      ...textsOf(entry['aliases']),
      ...(aliases.get(id) ?? []),
      ...shortNames(kind, id),
    ]);
    others.delete(id);
    others.delete('');
    const kept = [...others].slice(0, aliasesLeft);
    aliasesLeft -= kept.length;
    leftOut += others.size - kept.length;
    models.set(id, {
      id,
      aliases: kept,
      maxModelTokens: maxTokens(entry),
      loaded: loadedState(entry),
      created: numberIn(entry['created']),
    });
  }
  return { models: [...models.values()], leftOut };
}

/** Names of the models that Ollama's `/api/ps` or llama-swap's `/running` says are in memory. */
export function loadedModelsOf(body: string): readonly string[] {
  const running = entriesOf(body, 'running').filter(({ state }) => state === undefined || state === 'ready');
  return [...entriesOf(body, 'models'), ...running].flatMap(({ model, name }) => {
    const id = model ?? name;
    return typeof id === 'string' ? [id] : [];
  });
}

/** Ollama's `data` is null when it has no models. */
function entriesOf(body: string, field: string): readonly Entry[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return [];
  }
  const list = isRecord(parsed) ? parsed[field] : undefined;
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Strata lists each alias as an entry of its own. */
function aliasesOfOthers(entries: readonly Entry[]): ReadonlyMap<string, readonly string[]> {
  const aliases = new Map<string, string[]>();
  for (const { id, alias_of: of } of entries) {
    if (typeof id !== 'string' || typeof of !== 'string') continue;
    const others = aliases.get(of);
    if (others === undefined) aliases.set(of, [id]);
    else others.push(id);
  }
  return aliases;
}

/** Ollama takes a name without its tag for the tag `latest`. */
function shortNames(kind: string, id: string): readonly string[] {
  return kind === 'ollama' && id.endsWith(':latest') ? [id.slice(0, -':latest'.length)] : [];
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((text): text is string => typeof text === 'string') : [];
}

/** vLLM and SGLang say `max_model_len`, llama.cpp and Strata `meta.n_ctx`. */
function maxTokens({ max_model_len: length, meta }: Entry): number | undefined {
  return numberIn(length) ?? (isRecord(meta) ? numberIn(meta['n_ctx']) : undefined);
}

/** llama.cpp's router mode and Strata: unloaded, loading, loaded. */
function loadedState({ status }: Entry): boolean | undefined {
  const value = isRecord(status) ? status['value'] : undefined;
  return typeof value === 'string' ? value === 'loaded' : undefined;
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
