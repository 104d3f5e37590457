import { joinPages } from '../engines/join-pages.ts';
import { modelsOf, type ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { ExpositionError } from '../exposition/exposition.ts';
import { parseExposition } from '../exposition/parse.ts';
import type { EngineSettings } from '../fleet/engine.ts';
import type { HttpClient } from '../kit/http.ts';
import type { Ask } from './ask.ts';
import { modelPageRequest } from './engine-request.ts';
import { type Fetched, type FetchedPage, type FetchLimits, fetchPage, textPage } from './fetch.ts';

export interface ModelPagesDeps {
  readonly http: HttpClient;
  /** Asks afresh: which models are loaded changes. */
  readonly ask: Ask;
  readonly limits: FetchLimits;
}

export interface FetchedModelPages {
  readonly fetched: Fetched;
  /** What the list said on the way; absent when it did not answer. */
  readonly models?: readonly ServedModel[];
}

/** It was unloaded between the list and the question, which `autoload=false` keeps from loading it. */
const GONE = new Set([400, 404]);

/**
 * The pages of the models in memory, as one. Which those are the engine's list says, each time: a question about
 * another model would load it. One page that fails fails them all, since without it every count would seem to fall.
 */
export async function fetchModelPages(
  { http, ask, limits }: ModelPagesDeps,
  settings: EngineSettings,
  profile: EngineProfile,
  signal: AbortSignal,
): Promise<FetchedModelPages> {
  const asked = await ask(profile.modelsPath);
  if ('failure' in asked) return { fetched: { failure: asked.failure, status: undefined } };
  const { status, body } = asked.answer;
  if (status !== 200) {
    const reason = `GET ${settings.url}${profile.modelsPath} answered ${status}`;
    return { fetched: { failure: { cause: 'http-status', reason, unreachable: false }, status } };
  }
  const models = modelsOf(profile.kind, body);
  const pages: { readonly model: string; readonly page: FetchedPage }[] = [];
  for (const { id, loaded } of models) {
    const request = loaded === true ? modelPageRequest(settings, profile, id) : undefined;
    if (request === undefined) continue;
    const fetched = await fetchPage(http, request, limits, signal);
    if ('page' in fetched) pages.push({ model: id, page: fetched.page });
    else if (!GONE.has(fetched.status ?? 0)) return { fetched, models };
  }
  return { fetched: { page: joined(pages, profile.metrics?.perModel?.label ?? 'model') }, models };
}

function joined(
  pages: readonly { readonly model: string; readonly page: FetchedPage }[],
  label: string,
): FetchedPage {
  const parsed: Parameters<typeof joinPages>[0][number][] = [];
  for (const { model, page } of pages) {
    try {
      parsed.push({ model, page: parseExposition(page.bytes, page.format) });
    } catch (error) {
      if (!(error instanceof ExpositionError)) throw error;
      // Whoever reads it says what is wrong with it.
      return page;
    }
  }
  const text = parsed.length === 0 ? '# no model is loaded\n' : joinPages(parsed, label);
  return textPage(text);
}
