import { reason } from '../kit/log.ts';

/** Why a file could not be read, as the end of a sentence to a person. */
export function fileProblem(error: unknown): string {
  const code = error instanceof Error ? (error as { readonly code?: unknown }).code : undefined;
  return (typeof code === 'string' ? WORDS[code] : undefined) ?? reason(error);
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
};
