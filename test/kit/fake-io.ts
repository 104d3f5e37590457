import type { Io } from '../../src/cli/command.ts';

interface FakeIoSetup {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** When the person presses Ctrl-C; absent: at once. */
  readonly interrupted?: Promise<string>;
}

/** A world for commands that lives in memory and remembers what was written. */
export function fakeIo({ files = {}, env = {}, interrupted = Promise.resolve('SIGINT') }: FakeIoSetup = {}): {
  readonly io: Io;
  readonly written: { out: string; err: string };
} {
  const written = { out: '', err: '' };
  const io: Io = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    terminal: false,
    env,
    readFile: (path) => {
      const content = files[path];
      return content === undefined
        ? Promise.reject(new Error(`no such file ${path}`))
        : Promise.resolve(content);
    },
    fileExists: (path) => Promise.resolve(files[path] !== undefined),
    interrupted: () => interrupted,
  };
  return { io, written };
}
