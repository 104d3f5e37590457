import { textOf } from '../engines/other-form.ts';
import type { OtherForm } from '../engines/profile.ts';
import type { ExpositionFormat } from '../exposition/exposition.ts';
import { notAPage } from '../exposition/not-a-page.ts';
import { formatOf } from '../exposition/parse.ts';
import type { HttpClient } from '../kit/http.ts';
import { withoutQuery } from '../kit/without-query.ts';
import type { EngineRequest } from './engine-request.ts';
import { failureOf, type ScrapeFailure } from './failure.ts';

export interface FetchLimits {
  readonly timeoutMs: number;
  readonly maxPageBytes: number;
  /**
   * Let the engine zip its page. Not unless it is asked for: Python's servers zip in the thread that also streams
   * tokens, 10 ms for 200 kB, to save what a local network carries in 2.
   */
  readonly gzip?: boolean;
}

export interface FetchedPage {
  readonly bytes: Uint8Array;
  readonly format: ExpositionFormat;
}

export type Fetched =
  | { readonly page: FetchedPage }
  | { readonly failure: ScrapeFailure; readonly status: number | undefined };

/**
 * One GET of a metrics page. Whatever is not a page is a failure: it must never read as an idle engine.
 *
 * @param otherForm what the kind may answer in place of text; such a page is kept as the text that says the same
 * @param into memory of an earlier page that nobody reads any more
 */
export async function fetchPage(
  http: HttpClient,
  { url, headers }: EngineRequest,
  { timeoutMs, maxPageBytes, gzip = false }: FetchLimits,
  signal: AbortSignal,
  otherForm?: OtherForm,
  into?: Uint8Array,
): Promise<Fetched> {
  try {
    const answer = await http.get(url, {
      headers: { ...headers, 'accept-encoding': gzip ? 'gzip' : 'identity' },
      timeoutMs,
      maxBytes: maxPageBytes,
      signal,
      into,
    });
    if (answer.status !== 200) {
      const reason = `GET ${withoutQuery(url)} answered ${answer.status}`;
      return { failure: { cause: 'http-status', reason, unreachable: false }, status: answer.status };
    }
    const text =
      otherForm === undefined ? undefined : textOf(otherForm, new TextDecoder().decode(answer.body));
    if (text !== undefined) return { page: textPage(text) };
    const what = notAPage(answer.body);
    if (what !== undefined) {
      const reason = `GET ${withoutQuery(url)} answered with ${what} instead of metrics`;
      return { failure: { cause: 'not-a-page', reason, unreachable: false }, status: 200 };
    }
    const contentType = answer.headers['content-type'] ?? '';
    return { page: { bytes: answer.body, format: formatOf(contentType) } };
  } catch (error) {
    if (signal.aborted) throw error;
    return { failure: failureOf(error, url), status: undefined };
  }
}

/** A page of our own making, out of what an engine said in another form. */
export function textPage(text: string): FetchedPage {
  return {
    bytes: new TextEncoder().encode(text),
    format: 'text-0.0.4',
  };
}
