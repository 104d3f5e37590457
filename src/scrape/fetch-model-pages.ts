import { joinPages } from '../engines/join-pages.ts';
import { type ModelList, modelsOf } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { ExpositionError } from '../exposition/exposition.ts';
import { parseExposition } from '../exposition/parse.ts';
import type { EngineSettings } from '../fleet/engine.ts';
import type { HttpClient } from '../kit/http.ts';
import { withoutQuery } from '../kit/without-query.ts';
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
  readonly list?: ModelList;
}

/** It was unloaded between the list and the question, which `autoload=false` keeps from loading it. */
const GONE = new Set([400, 404]);
/** They are asked for one after the other: with more, a round would never end. */
const MAX_PAGES = 64;

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
    const reason = `GET ${settings.url}${withoutQuery(profile.modelsPath)} answered ${status}`;
    return { fetched: { failure: { cause: 'http-status', reason, unreachable: false }, status } };
  }
  const list = modelsOf(profile.kind, body);
  const pages: { readonly model: string; readonly page: FetchedPage }[] = [];
  const inMemory = list.models.filter(({ loaded }) => loaded === true);
  if (inMemory.length > MAX_PAGES) return { fetched: tooMany(inMemory.length), list };
  // Of all of them together: as one page they are held to the limits of one.
  let maxPageBytes = limits.maxPageBytes;
  for (const { id } of inMemory) {
    const request = modelPageRequest(settings, profile, id);
    if (request === undefined) continue;
    const fetched = await fetchPage(http, request, { ...limits, maxPageBytes }, signal);
    if ('page' in fetched) {
      pages.push({ model: id, page: fetched.page });
      maxPageBytes -= fetched.page.bytes.byteLength;
    } else if (!GONE.has(fetched.status ?? 0)) return { fetched, list };
  }
  return { fetched: { page: joined(pages, profile.metrics?.perModel?.label ?? 'model') }, list };
}

function tooMany(count: number): Fetched {
  const reason = `it has ${count} models in memory, each with a page of its own; up to ${MAX_PAGES} are read`;
  return { failure: { cause: 'too-large', reason, unreachable: false }, status: undefined };
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
