import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** As package.json says, which lies two folders up from the source and from the build alike. */
export function penstockVersion(): string {
  const file = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');
  return (JSON.parse(file) as { version: string }).version;
}
