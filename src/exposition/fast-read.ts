import { BLANK, CLASS, HASH_SEED, LINE_FEED, mixHash, NAME, TAB } from './bytes.ts';
import type { Sample } from './exposition.ts';
import { findName, type NameTable } from './name-table.ts';
import { PageReader } from './page-reader.ts';
import { readTextLabels, readTextValue } from './parse-text.ts';

/**
 * The samples whose exact name is in the table, in the page's order, without timestamps and exemplars.
 *
 * Of any other line only the name is looked at. Every line is: the series of one histogram stand apart by label
 * set, so that a run of them cannot be read from the first. On a page that `parseExposition` accepts, in either
 * format, the samples are the same as there; a page that it refuses may pass unnoticed. The text grammar reads
 * OpenMetrics too, being the wider one.
 *
 * @throws ExpositionError for a malformed line of a wanted name, whatever stands on the others
 */
export function fastRead(bytes: Uint8Array, table: NameTable): Sample[] {
  const page = new PageReader(bytes);
  const samples: Sample[] = [];
  const { length } = bytes;
  const classes = CLASS;
  let at = 0;
  while (at < length) {
    let byte = bytes[at] ?? 0;
    if (byte === BLANK || byte === TAB) {
      at += 1;
      continue;
    }
    const start = at;
    let hash = HASH_SEED;
    while (at < length && ((classes[byte] ?? 0) & NAME) !== 0) {
      hash = mixHash(hash, byte);
      at += 1;
      byte = bytes[at] ?? 0;
    }
    const name = at === start ? undefined : findName(table, bytes, start, at, hash);
    if (name !== undefined) {
      page.at = at;
      samples.push(readRest(page, name));
      at = page.at;
    }
    at = bytes.indexOf(LINE_FEED, at) + 1;
    if (at === 0) break;
  }
  return samples;
}

function readRest(page: PageReader, name: string): Sample {
  const labels = readTextLabels(page);
  return { name, labels, value: readTextValue(page, name) };
}
