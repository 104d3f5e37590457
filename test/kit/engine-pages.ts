import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Exposition } from '../../src/exposition/exposition.ts';
import { parseExposition } from '../../src/exposition/parse.ts';

const COPIED = join(import.meta.dirname, '../fixtures/engine-metrics');
/** Public captures: read where they are and never copied. */
const SHARED = join(import.meta.dirname, '../../../shared/fixtures/engine-metrics');

/** Whether the captures that are not part of the repository are here. */
const hasSharedPages = existsSync(SHARED);

/** The text of a recorded or synthetic page; undefined when it is neither copied nor shared. */
export function pageText(file: string): string | undefined {
  const path = [COPIED, SHARED]
    .map((folder) => join(folder, file))
    .find((candidate) => existsSync(candidate));
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}

/** @throws Error when the page is not here */
export function readPage(file: string): Exposition {
  const text = pageText(file);
  if (text === undefined) throw new Error(`No page ${file} in the repository or beside it`);
  return parseExposition(new TextEncoder().encode(text), 'text-0.0.4');
}

/** Names of all shared files. */
export function sharedPages(): readonly string[] {
  return hasSharedPages ? readdirSync(SHARED) : [];
}
