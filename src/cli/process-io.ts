import { createReadStream } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';

import { ByteBlocks } from '../kit/byte-blocks.ts';
import { systemClock } from '../kit/clock.ts';
import { printableLines } from '../kit/printable.ts';
import { ExitCode as Exit, type ExitCode, type Io } from './command.ts';
import { harmless, paintFor } from './paint.ts';

/** The real world of a command: this process. */
export function processIo(): Io {
  const paint = {
    out: paintFor(process.stdout.isTTY === true, process.env),
    err: paintFor(process.stderr.isTTY === true, process.env),
  };
  const writeErr = unreadIsDropped(process.stderr);
  return {
    out: (text) => void process.stdout.write(harmless(text, paint.out)),
    err: (text) => writeErr(harmless(text, paint.err)),
    terminal: process.stderr.isTTY === true,
    paint,
    env: process.env,
    readFile: (path) => readFile(path, 'utf8'),
    async readBytes(path) {
      const seen = await stat(path);
      if (seen.isDirectory()) throw new Error('it is a folder');
      if (seen.isCharacterDevice() || seen.isBlockDevice()) throw new Error('it is a device');
      return readBounded(createReadStream(path));
    },
    stdin: () => readBounded(process.stdin),
    fileExists: (path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    readerLeft: () =>
      new Promise((resolve) => {
        process.stdout.once('error', () => resolve());
      }),
    interrupted() {
      outliveReaders();
      return new Promise((resolve) => {
        for (const signal of ['SIGINT', 'SIGTERM'] as const) {
          let again = false;
          process.on(signal, () => {
            if (again) process.exit(signal === 'SIGINT' ? 130 : 143);
            again = true;
            resolve(signal);
          });
        }
      });
    },
  };
}

/** More than any page is; what has no end must not fill the memory. */
const MAX_INPUT_BYTES = 268_435_456;

async function readBounded(input: Readable): Promise<Buffer> {
  const blocks = new ByteBlocks();
  for await (const chunk of input as AsyncIterable<Buffer>) {
    blocks.add(chunk);
    if (blocks.size > MAX_INPUT_BYTES)
      throw new Error(`it is larger than ${MAX_INPUT_BYTES / 1_048_576} MiB`);
  }
  return blocks.whole();
}

const MAX_UNREAD_BYTES = 1_048_576;
/** How long the end of a server waits for whoever reads its log. */
const LAST_WORDS_MS = 500;

/** A log that nobody takes (a pager that waits, a collector that hangs) must not fill the memory. */
export function unreadIsDropped(stream: Writable): (text: string) => void {
  return (text) => {
    if (stream.writableLength < MAX_UNREAD_BYTES) stream.write(text);
  };
}

/**
 * What no command can catch: a reader that went away (`penstock doctor | head`) is the normal end of a pipe,
 * and anything else that escapes ends the process with one line.
 */
export function guardProcess(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endWithReader);
  process.on('uncaughtException', (error) => fail(error));
  process.on('unhandledRejection', (error) => fail(error));
}

function endWithReader(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? Exit.ok : Exit.failed);
}

/** Whoever serves others goes on when nobody reads what it prints, or its log has no room: that is lost, and no more. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.off('error', endWithReader).on('error', () => {});
  }
}

/** Resolves when a pipe has taken all that was written: `process.exit` would cut it off. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    const taken = new Promise<void>((resolve) => {
      stream.write('', () => resolve());
    });
    const outlives = !stream.listeners('error').includes(endWithReader);
    await (outlives ? Promise.race([taken, systemClock.sleep(LAST_WORDS_MS)]) : taken);
  }
}

/** The stack only where somebody asks for it: PENSTOCK_DEBUG=1. */
function fail(error: unknown): void {
  const stack =
    error instanceof Error && process.env['PENSTOCK_DEBUG'] !== undefined ? error.stack : undefined;
  const text = stack ?? (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  process.stderr.write(`penstock: unexpected: ${printableLines(text)}\n`);
  const code: ExitCode = Exit.failed;
  process.exit(code);
}
