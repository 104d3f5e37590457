import type { Env } from '../config/expand-env.ts';
import type { CommandOption, Options } from './options.ts';
import type { Paint } from './paint.ts';

/** What a shell or script may act on. */
export const ExitCode = {
  ok: 0,
  /** It was asked rightly and something is wrong: an engine, a port, a bug. */
  failed: 1,
  /** It was asked wrongly: options, files, values. */
  usage: 2,
} as const;

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** The world as a command may touch it. */
export interface Io {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a person watches standard error. */
  readonly terminal: boolean;
  /** Colours for each of the two, where a person watches it and wants them. */
  readonly paint: { readonly out: Paint; readonly err: Paint };
  readonly env: Env;
  readonly readFile: (path: string) => Promise<string>;
  readonly readBytes: (path: string) => Promise<Uint8Array>;
  /** Everything on standard input, to its end. */
  readonly stdin: () => Promise<Uint8Array>;
  readonly fileExists: (path: string) => Promise<boolean>;
  /** Resolves when something was written to standard output and nobody reads it any more. */
  readonly readerLeft: () => Promise<void>;
  /** Resolves at the first SIGINT or SIGTERM with its name; a second one ends the process at once. */
  readonly interrupted: () => Promise<string>;
}

export interface Command {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** What stands after the name: `FILE`, `[--engine URL ...]`. */
  readonly usage: string;
  /** More for its own help, when the summary and the options do not say all. */
  readonly about?: string;
  readonly options: readonly CommandOption[];
  /** Names of what comes without a flag, all of them needed: `['FILE']`. */
  readonly positionals?: readonly string[];
  /** Throws UsageError when it was asked wrongly; any other error is a failure with exit code 1. */
  run(options: Options, io: Io): Promise<ExitCode>;
}
