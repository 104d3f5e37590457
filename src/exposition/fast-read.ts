import { BLANK, BRACE_OPEN, CLASS, HASH_SEED, LINE_FEED, mixHash, NAME, TAB } from './bytes.ts';
import type { Sample } from './exposition.ts';

import { findName, type NameTable } from './name-table.ts';
import { NO_LIMITS, type PageLimits } from './page-limits.ts';
import { PageReader } from './page-reader.ts';
import { TEXT_LABELS } from './parse-text.ts';
import { sampleName } from './sample-name.ts';
import { readTextLabels, readTextValue } from './text-sample.ts';

/**
 * The samples whose exact name is in the table, in the page's order, without timestamps and exemplars.
 *
 * Of any other line only the name is looked at. Every line is: the series of one histogram stand apart by label
 * set, so that a run of them cannot be read from the first. On a page that `parseExposition` accepts, in either
 * format, the samples are the same as there; a page that it refuses may pass unnoticed. The text grammar reads
 * OpenMetrics too, being the wider one.
 *
 * @throws ExpositionError for a malformed line of a wanted name, or one whose name stands in braces, whatever
 * stands on the others; PageLimitError for a page beyond the limits
 */
export function fastRead(bytes: Uint8Array, table: NameTable, limits: PageLimits = NO_LIMITS): Sample[] {
  const page = new PageReader(bytes, { limits });
  const { runs } = page;
  const samples: Sample[] = [];
  const { length } = bytes;
  const classes = CLASS;
  // Lines of one name follow one another, and comparing is quicker than hashing.
  let nameStart = 0;
  let nameEnd = 0;
  let wanted: string | undefined;
  for (let at = 0; at < length; ) {
    page.limits.line(at);
    while (bytes[at] === BLANK || bytes[at] === TAB) at += 1;
    const start = at;
    let byte = bytes[start] ?? LINE_FEED;
    if (((classes[byte] ?? 0) & NAME) !== 0) {
      page.limits.sample(start);
      at = start + nameEnd - nameStart;
      if (
        ((classes[bytes[at] ?? 0] ?? 0) & NAME) !== 0 ||
        !runs.equal(nameStart, start, nameEnd - nameStart)
      ) {
        at = start;
        let hash = HASH_SEED;
        while (((classes[byte] ?? 0) & NAME) !== 0) {
          hash = mixHash(hash, byte);
          at += 1;
          byte = bytes[at] ?? LINE_FEED;
        }
        nameStart = start;
        nameEnd = at;
        wanted = findName(table, bytes, start, at, hash);
      }
      const end = runs.lineFeed(at);
      page.at = at;
      if (wanted !== undefined) samples.push(readSample(page, wanted));
      // A shorter line has no label that is too long.
      else if (end - start > limits.labelBytes) readTextLabels(page, TEXT_LABELS);
      at = end;
    } else if (byte === BRACE_OPEN) {
      page.limits.sample(start);
      page.at = start;
      const sample = readSample(page, undefined);
      if (table.wanted.has(sample.name)) samples.push(sample);
      at = runs.lineFeed(page.at);
    } else {
      at = runs.lineFeed(at);
    }
    at += 1;
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
