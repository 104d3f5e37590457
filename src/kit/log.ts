import type { Clock } from './clock.ts';
import { printable } from './printable.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, unknown>>;

/** Constant message, facts in fields. Never pass a secret: nothing is filtered here. */
export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** A log that adds `fields` to each of its lines. */
  child(fields: LogFields): Log;
}

const ORDER: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

interface LogOptions {
  readonly clock: Clock;
  readonly level: LogLevel;
  /** `json`: one object a line, for machines. `text`: for a person at a terminal. */
  readonly format: 'json' | 'text';
  /** Of a text: how parts of a line are set off, as a terminal does with colours. */
  readonly highlight?: (part: LogLevel | 'time' | 'fields', text: string) => string;
  readonly write: (line: string) => void;
}

export function createLog(options: LogOptions, bound: LogFields = {}): Log {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (ORDER[level] < ORDER[options.level]) return;
      const time = new Date(options.clock.wallTime()).toISOString();
      const all = { ...bound, ...fields };
      options.write(
        options.format === 'json'
          ? `${json({ time, level, message, ...plain(all) })}\n`
          : textLine(options, { time: time.slice(11, 19), level, message, fields: textFields(all) }),
      );
    };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => createLog(options, { ...bound, ...fields }),
  };
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLog,
};

function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? reason(value) : value]),
  );
}

/** The message stands in a column of its own, so that it can be told from its fields. */
const MESSAGE_COLUMN = 24;

function textLine(
  { highlight = (_, text) => text }: Pick<LogOptions, 'highlight'>,
  {
    time,
    level,
    message,
    fields,
  }: Readonly<Record<'time' | 'message' | 'fields', string>> & { level: LogLevel },
): string {
  const head = `${highlight('time', time)} ${highlight(level, level.padEnd(5))} `;
  if (fields === '') return `${head}${message}\n`;
  return `${head}${message.padEnd(MESSAGE_COLUMN)}  ${highlight('fields', fields)}\n`;
}

function textFields(fields: LogFields): string {
  return Object.entries(plain(fields))
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const isPlain = typeof value === 'string' && !/[\s"=]/.test(value) && printable(value) === value;
      return `${key}=${isPlain ? value : json(value)}`;
    })
    .join(' ');
}

/** JSON lets stand what a terminal acts on. */
function json(value: unknown): string {
  return printable(JSON.stringify(value));
}

/** An error with its causes in one line: what undici and Node hide in `cause` is usually the answer. */
export function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = (error as { code?: unknown }).code;
  const own =
    error.message !== ''
      ? error.message
      : error instanceof AggregateError
        ? error.errors.map(reason).join('; ')
        : typeof code === 'string'
          ? code
          : error.name;
  if (error.cause === undefined) return own;
  const below = reason(error.cause);
  // Wrappers often repeat what they wrap: said once is enough.
  return own.endsWith(below) ? own : `${own}: ${below}`;
}
