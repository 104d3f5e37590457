import { ExpositionError, type ExpositionFormat } from '../exposition/exposition.ts';
import type { LinedFamily, Lines } from '../exposition/open-metrics-plan.ts';
import { linedFamily, openMetricsChunks } from '../exposition/write-open-metrics.ts';
import { textHead, type WrittenFamily } from '../exposition/write-text.ts';
import { shorten } from '../kit/shorten.ts';
import { type RawPage, type TranslatedEngine, translatePage } from './translate.ts';

/**
 * One family of one engine as its lines on a page, in whatever format: kept and sent as bytes, for a page has many
 * thousand samples. Heads are written once for all engines. Names are classic ones, which no way of escaping changes.
 */
export interface RenderedFamily extends LinedFamily {
  readonly series: number;
  readonly lines: Uint8Array;
}

export type Rendered =
  | { readonly families: readonly RenderedFamily[] }
  /** What Prometheus would refuse of the page, with the place. */
  | { readonly malformed: string };

export function renderFamily(family: WrittenFamily): RenderedFamily {
  const { lines, ...rest } = linedFamily(family, 'underscores');
  return {
    ...rest,
    series: family.samples.length,
    lines: typeof lines === 'string' ? new TextEncoder().encode(lines) : lines,
  };
}

/** An engine's page translated and written, but for the heads. */
export function renderPage(page: RawPage, engine: TranslatedEngine): Rendered {
  try {
    return { families: translatePage(page, engine).map(renderFamily) };
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    // It may quote the page, and so be of any length.
    return { malformed: shorten(error.message, 300) };
  }
}

/**
 * A page of any number of engines, family by family, so that it can be sent while it is written: families of one
 * name under one head, the first's. All series must differ.
 */
export function* pageChunks(
  families: Iterable<RenderedFamily>,
  format: ExpositionFormat,
): Iterable<Uint8Array> {
  const chunks = format === 'openmetrics-1.0.0' ? openMetricsChunks : textChunks;
  const encoder = new TextEncoder();
  for (const chunk of chunks(families)) {
    yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
  }
}

function* textChunks(families: Iterable<LinedFamily>): Iterable<Lines> {
  const groups = new Map<string, [LinedFamily, ...LinedFamily[]]>();
  for (const family of families) {
    const group = groups.get(family.name);
    if (group === undefined) groups.set(family.name, [family]);
    else group.push(family);
  }
  for (const group of groups.values()) {
    const [{ name, type, help }] = group;
    yield textHead({ name, type, ...(help === undefined ? {} : { help }) });
    for (const { lines } of group) yield lines;
  }
}

export function seriesCount(families: readonly RenderedFamily[]): number {
  return families.reduce((count, { series }) => count + series, 0);
}
