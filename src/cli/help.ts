import type { Command } from './command.ts';
import type { CommandOption } from './options.ts';
import { KEPT_BLANK, wrap } from './wrap.ts';

/** Understood after every command, so no command lists them itself. */
const EVERYWHERE: readonly CommandOption[] = [
  { flag: 'help', summary: 'Show this text' },
  { flag: 'version', summary: "Show Penstock's version" },
];

export function overview(commands: readonly Command[], version: string): string {
  return [
    `Penstock ${version}: one gate in front of every LLM engine you host`,
    '',
    'Usage: penstock COMMAND [options]',
    '',
    ...table(commands.map(({ name, summary }) => [name, summary])),
    '',
    'penstock COMMAND --help tells more of one. Try it without a GPU: penstock demo',
    '',
  ].join('\n');
}

export function helpOf(command: Command): string {
  return [
    ...wrapped('', command.summary),
    '',
    ...usageOf(command),
    ...(command.about === undefined
      ? []
      : ['', ...command.about.split('\n').flatMap((part) => wrapped('', part))]),
    '',
    ...table([...command.options, ...EVERYWHERE].map((option) => [flagText(option), option.summary])),
    '',
  ].join('\n');
}

/** An option and its value stay on one line. */
function usageOf({ name, usage }: Command): readonly string[] {
  const kept = usage.replace(/\[--[^\]]*\]|--\S+ \S+/g, (one) => one.replaceAll(' ', KEPT_BLANK));
  return wrapped(`Usage: penstock ${name} `, kept).map((line) => line.trimEnd());
}

function flagText({ flag, value, repeatable }: CommandOption): string {
  return `--${flag}${value === undefined ? '' : ` ${value}`}${repeatable === true ? ' ...' : ''}`;
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.flatMap(([left, right]) => wrapped(`  ${left.padEnd(width)}  `, right));
}

function wrapped(first: string, text: string): readonly string[] {
  return wrap(first, text).trimEnd().split('\n');
}
