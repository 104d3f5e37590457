import { parseArgs } from 'node:util';

import { nearest } from '../kit/nearest.ts';
import { UsageError } from '../kit/usage-error.ts';

/** One option of a command, for parsing it and for its help. */
export interface CommandOption {
  /** Without dashes: `engine`. */
  readonly flag: string;
  /** What its value is called in the help (`URL`); absent: it takes none. */
  readonly value?: string;
  readonly repeatable?: boolean;
  readonly summary: string;
}

/** A command line as typed, checked against the table of options. */
export interface Options {
  readonly positionals: readonly string[];
  /** The value of an option; undefined when it was not given. */
  text(flag: string): string | undefined;
  /** All values of a repeatable option, in order. */
  texts(flag: string): readonly string[];
  given(flag: string): boolean;
  /** Whether the command knows this option at all. */
  has(flag: string): boolean;
}

/** What of a command says how it may be called. */
export interface Callable {
  readonly name: string;
  readonly options: readonly CommandOption[];
  readonly positionals?: readonly string[];
}

/** Throws UsageError: one line that names what was typed and what is meant or allowed. */
export function parseOptions(command: Callable, argv: readonly string[]): Options {
  const { name, options, positionals: wanted = [] } = command;
  const byFlag = new Map(options.map((option) => [option.flag, option]));
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  const { tokens } = parseArgs({
    args: [...argv],
    strict: false,
    tokens: true,
    options: Object.fromEntries(
      options.map(({ flag, value }) => [flag, { type: value === undefined ? 'boolean' : 'string' }]),
    ),
  });

  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const option = byFlag.get(token.name);
    if (option === undefined) throw new UsageError(unknownOption(command, token.rawName));
    const value = checkedValue(option, token.value, token.inlineValue === true);
    const before = values.get(option.flag);
    if (before !== undefined && option.repeatable !== true) {
      throw new UsageError(`--${option.flag} is given twice; it takes one value`);
    }
    values.set(option.flag, [...(before ?? []), value]);
  }

  const extra = positionals[wanted.length];
  if (extra !== undefined) {
    const takes = wanted.length === 0 ? 'takes options only' : `takes ${wanted.join(' ')} only`;
    throw new UsageError(`unexpected ${JSON.stringify(extra)}: penstock ${name} ${takes}`);
  }
  const missing = wanted[positionals.length];
  if (missing !== undefined)
    throw new UsageError(`${missing} is missing: penstock ${name} ${wanted.join(' ')}`);

  const known = (flag: string): readonly string[] | undefined => {
    if (!byFlag.has(flag)) throw new TypeError(`penstock ${name} has no option --${flag}`);
    return values.get(flag);
  };
  return {
    positionals,
    text: (flag) => known(flag)?.[0],
    texts: (flag) => known(flag) ?? [],
    given: (flag) => known(flag) !== undefined,
    has: (flag) => byFlag.has(flag),
  };
}

function checkedValue({ flag, value }: CommandOption, given: string | undefined, inline: boolean): string {
  if (value === undefined) {
    if (given !== undefined) throw new UsageError(`--${flag} takes no value, found ${JSON.stringify(given)}`);
    return '';
  }
  if (given === undefined || given === '' || (!inline && given.startsWith('--'))) {
    const found = given === undefined || given === '' ? '' : `, found ${given}`;
    throw new UsageError(`--${flag} needs a value: --${flag} ${value}${found}`);
  }
  return given;
}

function unknownOption({ name, options, positionals = [] }: Callable, typed: string): string {
  const flags = options.map(({ flag }) => flag);
  const meant = nearest(typed.replace(/^-+/, ''), flags);
  const hint =
    meant !== undefined
      ? `did you mean --${meant}?`
      : flags.length === 0
        ? `it takes ${positionals.length === 0 ? 'nothing' : `${positionals.join(' ')} only`}`
        : `there are: ${flags.map((flag) => `--${flag}`).join(', ')}`;
  return `penstock ${name} has no option ${typed}; ${hint}`;
}
