import type { Answer } from '../engines/evidence.ts';
import type { EngineSettings } from '../fleet/engine.ts';
import type { HttpClient } from '../kit/http.ts';
import { engineRequest } from './engine-request.ts';
import { failureOf, type ScrapeFailure } from './failure.ts';
import type { FetchLimits } from './fetch.ts';

/** Answers of this size tell a kind, a version or a model list; larger ones are not what was asked for. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

export type Asked = { readonly answer: Answer } | { readonly failure: ScrapeFailure };

/** Asks an engine for small things, each path once, however often it is needed. */
export type Ask = (path: string) => Promise<Asked>;

export function askEngine(
  http: HttpClient,
  settings: EngineSettings,
  { timeoutMs }: Pick<FetchLimits, 'timeoutMs'>,
  signal: AbortSignal,
): Ask {
  const asked = new Map<string, Promise<Asked>>();
  const get = async (path: string): Promise<Asked> => {
    const { url, headers } = engineRequest(settings, path);
    try {
      const {
        status,
        headers: names,
        body,
      } = await http.get(url, {
        headers,
        timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        signal,
      });
      return { answer: { status, headers: names, body: new TextDecoder().decode(body) } };
    } catch (error) {
      if (signal.aborted) throw error;
      return { failure: failureOf(error, url) };
    }
  };
  return (path) => {
    const known = asked.get(path) ?? get(path);
    asked.set(path, known);
    return known;
  };
}
