/**
 * What does reading a request body cost? `node --import tsx bench/admit.ts`
 *
 * `still`: the longest that the event loop stands still for it, since large bodies are read in parts. Beside it:
 * JSON.parse of the whole, which is what reading it would cost if the object were built, all of it standing still.
 * Alternating rounds, medians. Compare only numbers of one run.
 */
import { systemClock } from '../src/kit/clock.ts';
import { readRequest, readRequestInParts } from '../src/openai/request.ts';

const ROUNDS = 9;
const MIB = 1024 ** 2;

const bodies: readonly (readonly [name: string, body: Uint8Array])[] = [
  ['chat, 1 kB', chat(1_000)],
  ['chat, 16 kB', chat(16_000)],
  ['chat, 64 kB', chat(64_000)],
  ['chat, 1 MB', chat(1_000_000)],
  ['one prompt, 8 MiB', encode(`{"model":"m","prompt":"${'lorem ipsum '.repeat((8 * MIB) / 12)}"}`)],
  ['token ids, 8 MiB', encode(`{"model":"m","prompt":[${'15339,'.repeat((8 * MIB) / 6)}1]}`)],
  ['hostile: small objects, 32 MiB', filled('{"a":[{}]},', '{"model":"m","x":[', '1]}')],
  ['hostile: keys, 32 MiB', keys()],
  ['hostile: brackets, 32 MiB', filled('[', '{"model":"m","x":', '')],
  ['hostile: escapes, 32 MiB', filled('\\u00e9', '{"model":"m","x":"', '"}')],
  ['hostile: lines, then a fault, 32 MiB', filled('\n', '{"model":"m",', 'x}')],
];

const width = Math.max(...bodies.map(([name]) => name.length));
print(`${''.padEnd(width)}   readRequest         still    JSON.parse    (ms, Node ${process.version})`);
for (const [name, body] of bodies) {
  const repeat = Math.max(1, Math.floor(2_000_000 / body.byteLength));
  const rounds = repeat === 1 ? 3 : ROUNDS;
  const read: number[] = [];
  const parse: number[] = [];
  const still: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    read.push(timed(() => readRequest(body), repeat));
    still.push(await longestStretch(body));
    parse.push(timed(() => parsed(body), repeat));
  }
  print(`${name.padEnd(width)} ${shown(read)} ${shown(still)} ${shown(parse)}`);
}

function timed(run: () => unknown, repeat: number): number {
  const startedAt = systemClock.now();
  for (let count = 0; count < repeat; count += 1) run();
  return (systemClock.now() - startedAt) / repeat;
}

async function longestStretch(body: Uint8Array): Promise<number> {
  let longest = 0;
  let since = systemClock.now();
  const stop = (): void => {
    longest = Math.max(longest, systemClock.now() - since);
  };
  await readRequestInParts(body, async () => {
    stop();
    await new Promise((resolve) => setImmediate(resolve));
    since = systemClock.now();
  });
  stop();
  return longest;
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function shown(times: readonly number[]): string {
  const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
  return median.toFixed(median < 1 ? 4 : 1).padStart(13);
}

function chat(bytes: number): Uint8Array {
  const messages = [{ role: 'system', content: 'You are a helpful assistant.' }];
  for (let at = 0; JSON.stringify(messages).length < bytes; at += 1) {
    messages.push({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: 'What about "this" one? '.repeat(10),
    });
  }
  return encode(JSON.stringify({ model: 'm', stream: true, messages }));
}

function filled(piece: string, before: string, after: string): Uint8Array {
  return encode(before + piece.repeat(Math.floor((32 * MIB) / piece.length)) + after);
}

function keys(): Uint8Array {
  const pieces: string[] = [];
  for (let at = 0; at < 2_300_000; at += 1) pieces.push(`"key${at}":1`);
  return encode(`{"model":"m",${pieces.join(',')}}`);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
