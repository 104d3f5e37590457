import { contractOf } from '../engines/contract.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { readSignals, type Signals, signalNames } from '../engines/signals.ts';
import { ExpositionError, type Sample } from '../exposition/exposition.ts';
import { fastRead } from '../exposition/fast-read.ts';
import { type NameTable, nameTable } from '../exposition/name-table.ts';
import { PageLimitError, type PageLimits } from '../exposition/page-limits.ts';
import { parseExposition } from '../exposition/parse.ts';
import type { ScrapeReport } from '../fleet/scrape-report.ts';
import { shorten } from '../kit/shorten.ts';
import { MESSAGE_LENGTH } from './failure.ts';
import type { FetchedPage } from './fetch.ts';

/** A profile with what its fast read needs: made once per engine and kind. */
export interface PageReader {
  readonly profile: EngineProfile;
  readonly table: NameTable;
}

export function pageReader(profile: EngineProfile): PageReader {
  return { profile, table: nameTable(signalNames(profile)) };
}

/**
 * Series that signals are read from, at every scrape and in the thread that carries streams: 60,000 took half a
 * second. An engine of 64 ranks has about a thousand.
 */
const MAX_SIGNAL_SERIES = 20_000;
/** Each is shown and judged on its own; the largest deployments have hundreds. */
const MAX_RANKS = 4_096;

export type ReadPage = Pick<ScrapeReport, 'signals' | 'contract' | 'missing' | 'problem'>;

/**
 * Signals and contract of a page. `whole` also reads what the fast read passes over: Prometheus would refuse the
 * page for any line of it. What the fast read could make out of such a page still counts as said.
 */
export function readPage(
  { profile, table }: PageReader,
  { bytes, format }: Pick<FetchedPage, 'bytes' | 'format'>,
  whole: boolean,
  limits: PageLimits,
): ReadPage | PageLimitError {
  let samples: readonly Sample[] = [];
  let problem: string | undefined;
  try {
    samples = fastRead(bytes, table, limits, MAX_SIGNAL_SERIES);
    if (whole) parseExposition(bytes, format, { limits });
  } catch (error) {
    if (error instanceof PageLimitError) return error;
    if (!(error instanceof ExpositionError)) throw error;
    problem = shorten(error.message, MESSAGE_LENGTH);
  }
  const { ranks, ...over }: Signals = readSignals(profile, samples);
  const signals: Signals = { ...over, ranks: ranks.slice(0, MAX_RANKS) };
  if (ranks.length > MAX_RANKS) {
    problem ??= `the page names ${ranks.length} ranks; no engine has more than ${MAX_RANKS}`;
  }
  const { state, missing } = contractOf(profile, signals);
  return { signals, contract: problem === undefined ? state : 'malformed', missing, problem };
}
