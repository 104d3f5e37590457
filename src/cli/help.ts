import type { Command } from './command.ts';
import type { CommandOption } from './options.ts';

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
    command.summary,
    '',
    `Usage: ${usageOf(command)}`,
    ...(command.about === undefined ? [] : ['', command.about]),
    '',
    ...table([...command.options, ...EVERYWHERE].map((option) => [flagText(option), option.summary])),
    '',
  ].join('\n');
}

function usageOf({ name, usage }: Command): string {
  return `penstock ${name} ${usage}`.trimEnd();
}

function flagText({ flag, value, repeatable }: CommandOption): string {
  return `--${flag}${value === undefined ? '' : ` ${value}`}${repeatable === true ? ' ...' : ''}`;
}

function table(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
