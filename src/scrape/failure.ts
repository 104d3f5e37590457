import type { PageLimitError } from '../exposition/page-limits.ts';
import { HttpFailure, type HttpFailureCode } from '../kit/http.ts';
import { reason } from '../kit/log.ts';
import { shorten } from '../kit/shorten.ts';
import { withoutQuery } from '../kit/without-query.ts';

/** Of what an engine sent there may be any length in an error. */
export const MESSAGE_LENGTH = 300;

/** Why a scrape brought nothing: a closed list, since it becomes a label. `malformed` is a page that came. */
type ScrapeCause =
  | 'refused'
  | 'timeout'
  | 'http-status'
  | 'not-a-page'
  | 'malformed'
  | 'too-large'
  | 'too-many-lines'
  | 'too-many-series'
  | 'label-too-long'
  | 'cut-off'
  | 'other';

export interface ScrapeFailure {
  readonly cause: ScrapeCause;
  /** For a person. */
  readonly reason: string;
  /** Nothing that can be spoken with answered at that address: no other look would find more. */
  readonly unreachable: boolean;
  /** What went wrong before there was an answer. */
  readonly code?: HttpFailureCode;
  /** What it answered. */
  readonly status?: number;
}

const CAUSES: Readonly<Record<HttpFailureCode, ScrapeCause>> = {
  refused: 'refused',
  dns: 'refused',
  tls: 'refused',
  'not-tls': 'refused',
  'not-http': 'refused',
  timeout: 'timeout',
  'too-large': 'too-large',
  'cut-off': 'cut-off',
  other: 'other',
};

const LIMITS: Readonly<
  Record<PageLimitError['limit'], { readonly cause: ScrapeCause; readonly setting: string }>
> = {
  lines: { cause: 'too-many-lines', setting: 'scrape.maxPageLines' },
  series: { cause: 'too-many-series', setting: 'scrape.maxPageSeries' },
  labelBytes: { cause: 'label-too-long', setting: 'scrape.maxLabelBytes' },
  wanted: { cause: 'too-many-series', setting: 'a fixed limit' },
};

/** Of a page that came whole and is not taken. */
export function limitFailure({ limit, message }: PageLimitError, url: string): ScrapeFailure {
  const { cause, setting } = LIMITS[limit];
  return {
    cause,
    reason: `GET ${withoutQuery(url)}: ${shorten(message, MESSAGE_LENGTH)} (${setting})`,
    unreachable: false,
  };
}

export function failureOf(error: unknown, url: string): ScrapeFailure {
  const code = error instanceof HttpFailure ? error.code : 'other';
  return {
    cause: CAUSES[code],
    reason: `GET ${withoutQuery(url)}: ${shorten(reason(error), MESSAGE_LENGTH)}${SCHEME_HINTS[code] ?? ''}`,
    unreachable: CAUSES[code] === 'refused',
    code,
  };
}

const SCHEME_HINTS: Partial<Readonly<Record<HttpFailureCode, string>>> = {
  'not-tls': '; use http://',
  'not-http': '; if it speaks TLS, use https://',
};
