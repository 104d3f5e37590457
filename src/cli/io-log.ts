import type { Config } from '../config/config.ts';
import type { Clock } from '../kit/clock.ts';
import { createLog, type Log } from '../kit/log.ts';
import type { Io } from './command.ts';

const STYLES = {
  time: 'faint',
  fields: 'faint',
  debug: 'faint',
  info: undefined,
  warn: 'caution',
  error: 'bad',
} as const;

/** The log of a command: on standard error, since standard output is what a person asked for. */
export function createIoLog({ level, format }: Config['log'], io: Io, clock: Clock): Log {
  const chosen = format === 'auto' ? (io.terminal ? 'text' : 'json') : format;
  const paint = io.paint.err;
  return createLog({
    clock,
    level,
    format: chosen,
    write: io.err,
    highlight: (part, text) => (STYLES[part] === undefined ? text : paint(STYLES[part], text)),
  });
}
