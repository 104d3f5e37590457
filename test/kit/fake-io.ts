import type { Io } from '../../src/cli/command.ts';
import { noPaint, type Paint } from '../../src/cli/paint.ts';

interface FakeIoSetup {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly stdin?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** No colours unless they are given. */
  readonly paint?: Paint;
  /** When the person presses Ctrl-C; absent: at once. */
  readonly interrupted?: Promise<string>;
}

/** A world for commands that lives in memory and remembers what was written. */
export function fakeIo({
  files = {},
  stdin = '',
  env = {},
  paint = noPaint,
  interrupted = Promise.resolve('SIGINT'),
}: FakeIoSetup = {}): {
  readonly io: Io;
  readonly written: { out: string; err: string };
} {
  const written = { out: '', err: '' };
  const file = (path: string): Promise<string | Uint8Array> => {
    const content = files[path];
    return content === undefined
      ? Promise.reject(new Error(`no such file ${path}`))
      : Promise.resolve(content);
  };
  const io: Io = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    terminal: false,
    paint: { out: paint, err: paint },
    env,
    readFile: async (path) => Buffer.from(await file(path)).toString(),
    readBytes: async (path) => Buffer.from(await file(path)),
    stdin: () => Promise.resolve(Buffer.from(stdin)),
    fileExists: (path) => Promise.resolve(files[path] !== undefined),
    readerLeft: () => new Promise(() => {}),
    interrupted: () => interrupted,
  };
  return { io, written };
}
