import { reason } from '../kit/log.ts';
import { nearest } from '../kit/nearest.ts';
import { UsageError } from '../kit/usage-error.ts';
import { type Command, ExitCode, type Io } from './command.ts';
import { helpOf, overview } from './help.ts';
import { parseOptions } from './options.ts';

interface CliParts {
  readonly commands: readonly Command[];
  readonly version: string;
  readonly io: Io;
}

/** One call of `penstock`: never throws, answers with the exit code. */
export async function runCli(argv: readonly string[], parts: CliParts): Promise<ExitCode> {
  const { io } = parts;
  try {
    return await dispatch(argv, parts);
  } catch (error) {
    io.err(`${io.paint.err('bad', 'penstock:')} ${reason(error)}\n`);
    return error instanceof UsageError ? ExitCode.usage : ExitCode.failed;
  }
}

function dispatch(argv: readonly string[], { commands, version, io }: CliParts): Promise<ExitCode> {
  const [first, ...rest] = argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
  const words = beforeTerminator(rest);
  if (first === '--version' || first === '-v' || words.includes('--version')) {
    return say(io, `penstock ${version}\n`);
  }
  if (first === undefined || first === '--help' || first === '-h')
    return say(io, overview(commands, version));

  const command = commands.find(({ name }) => name === first);
  if (command === undefined) throw new UsageError(unknownCommand(first, commands));
  if (words.includes('--help') || words.includes('-h')) return say(io, helpOf(command));
  return command.run(parseOptions(command, rest), io);
}

function beforeTerminator(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('--');
  return at < 0 ? argv : argv.slice(0, at);
}

function say(io: Io, text: string): Promise<ExitCode> {
  io.out(text);
  return Promise.resolve(ExitCode.ok);
}

function unknownCommand(typed: string, commands: readonly Command[]): string {
  const names = commands.map(({ name }) => name);
  const meant = nearest(typed, names);
  const hint = meant === undefined ? `there are: ${names.join(', ')}` : `did you mean "penstock ${meant}"?`;
  return `no command ${JSON.stringify(typed)}; ${hint}`;
}
