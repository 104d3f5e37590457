import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file below `test/fixtures`. */
export function fixture(...path: readonly string[]): Uint8Array {
  return readFileSync(join(import.meta.dirname, '..', 'fixtures', ...path));
}
