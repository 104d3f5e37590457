import { BLANK, BRACE_OPEN, CLASS, LINE_FEED, NAME, TAB } from './bytes.ts';
import type { Sample } from './exposition.ts';

import type { NameTable } from './name-table.ts';
import { NO_LIMITS, type PageLimits } from './page-limits.ts';
import { PageReader } from './page-reader.ts';
import { TEXT_LABELS } from './parse-text.ts';
import { sampleName } from './sample-name.ts';
import { readTextLabels, readTextValue } from './text-sample.ts';
import { WantedNames } from './wanted-names.ts';

/**
 * The samples whose exact name is in the table, in the page's order, without timestamps and exemplars.
 *
 * Of any other line only the name is looked at. Every line is: the series of one histogram stand apart by label
 * set, so that a run of them cannot be read from the first. On a page that `parseExposition` accepts, in either
 * format, the samples are the same as there; a page that it refuses may pass unnoticed. The text grammar reads
 * OpenMetrics too, being the wider one.
 *
 * @throws ExpositionError for a malformed line of a wanted name, or one whose name stands in braces, whatever
 * stands on the others; PageLimitError for a page beyond the limits, or with more than `most` samples to keep
 */
export function fastRead(
  bytes: Uint8Array,
  table: NameTable,
  limits: PageLimits = NO_LIMITS,
  most = Number.POSITIVE_INFINITY,
): Sample[] {
  const page = new PageReader(bytes, { limits });
  const { runs } = page;
  const names = new WantedNames(bytes, runs, table);
  const samples: Sample[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    page.limits.line(at);
    while (bytes[at] === BLANK || bytes[at] === TAB) at += 1;
    const byte = bytes[at] ?? LINE_FEED;
    if (((CLASS[byte] ?? 0) & NAME) !== 0) {
      page.limits.sample(at);
      const start = at;
      const wanted = names.at(start);
      page.at = names.end;
      at = runs.lineFeed(page.at);
      if (wanted !== undefined) {
        samples.push(readSample(page, wanted));
        page.limits.kept(samples.length, most, start);
      }
      // A shorter line has no label that is too long.
      else if (at - start > limits.labelBytes) readTextLabels(page, TEXT_LABELS);
    } else if (byte === BRACE_OPEN) {
      page.limits.sample(at);
      page.at = at;
      at = runs.lineFeed(at);
      const sample = readSample(page, undefined);
      if (table.wanted.has(sample.name)) {
        samples.push(sample);
        page.limits.kept(samples.length, most, at);
      }
    } else {
      at = runs.lineFeed(at);
    }
  }
  return samples;
}

/** From behind its bare name, if it has one. */
function readSample(page: PageReader, bare: string | undefined): Sample {
  const { at } = page;
  const set = readTextLabels(page, TEXT_LABELS);
  const name = sampleName(page, bare, set, at);
  return { name, labels: set.labels, value: readTextValue(page, name) };
}
