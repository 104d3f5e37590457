import { UsageError } from '../kit/usage-error.ts';

export type ConfigPath = readonly (string | number)[];

/** One thing wrong in a config. The message goes on after the path: `found "x"; allowed: a, b`. */
export interface Problem {
  readonly path: ConfigPath;
  readonly message: string;
}

/** Where a config came from. */
export interface ConfigSource {
  /** The file as the person named it, or "command line". */
  readonly name: string;
  /** ":12:5" for a path that stands in the file, "" for one that does not; absent when there is no text to point into. */
  readonly position?: (path: ConfigPath) => string;
  /** What a path is called where it is no path of a file (`--engine`). */
  readonly called?: (path: ConfigPath) => string | undefined;
}

export function samePath(one: readonly PropertyKey[], other: readonly PropertyKey[]): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

/** Whether the path is that one or leads to something in it. */
export function isWithin(path: ConfigPath, place: ConfigPath): boolean {
  return path.length >= place.length && samePath(path.slice(0, place.length), place);
}

/** `engines[1].url`, as a person would write it. */
export function pathText(path: ConfigPath): string {
  return path
    .map((part, at) =>
      typeof part === 'number'
        ? `[${part}]`
        : /^[\w-]+$/.test(part)
          ? `${at > 0 ? '.' : ''}${part}`
          : `["${part}"]`,
    )
    .join('');
}

export function configError(source: ConfigSource, problems: readonly Problem[]): UsageError {
  return new UsageError(
    problems
      .map(({ path, message }) => {
        const called = source.called?.(path);
        if (called !== undefined) return `${called}: ${message}`;
        const where = path.length === 0 ? '' : `${pathText(path)}: `;
        return `${source.name}${source.position?.(path) ?? ''}: ${where}${message}`;
      })
      .join('\n'),
  );
}
