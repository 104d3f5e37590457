/**
 * How long does it take to read what a page's samples mean: signals at every scrape, and the whole of it for a page?
 * `node --import tsx bench/read.ts [OTHER_CHECKOUT]`
 *
 * With the folder of another checkout, that one reads the same samples in alternating rounds of the same process.
 * Compare only numbers of one run.
 */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';

import { parseExposition } from '../src/exposition/parse.ts';
import { systemClock } from '../src/kit/clock.ts';

const ROUNDS = 15;
const READS_PER_ROUND = 200;
const HERE = join(import.meta.dirname, '..');
const PAGES = [
  ['vllm', 'synthetic-vllm-v1-2026-core.prom'],
  ['vllm', 'synthetic-vllm-v1-2026-dp4.prom'],
  ['sglang', 'synthetic-sglang-0.5-tp2-dp2.prom'],
  ['trtllm', 'synthetic-trtllm-1.3-iter-stats.prom'],
  ['llama-cpp', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom'],
] as const;

const other = process.argv[2];
const checkouts = other === undefined ? [HERE] : [resolve(other), HERE];

print(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${ROUNDS} rounds, medians`);
for (const [kind, file] of PAGES) await contest(kind, file);

type Modules = typeof import('../src/engines/index.ts') &
  typeof import('../src/engines/signals.ts') &
  typeof import('../src/engines/read.ts');

async function modulesOf(checkout: string): Promise<Modules> {
  const load = (name: string): Promise<object> => import(join(checkout, 'src/engines', `${name}.ts`));
  return Object.assign({}, await load('index'), await load('signals'), await load('read')) as Modules;
}

async function contest(kind: string, file: string): Promise<void> {
  const { samples } = parseExposition(
    readFileSync(join(HERE, 'test/fixtures/engine-metrics', file)),
    'text-0.0.4',
  );
  const contestants: (readonly [string, () => unknown])[] = [];
  for (const checkout of checkouts) {
    const { profileOf, signalNames, readSignals, readSamples } = await modulesOf(checkout);
    const profile = profileOf(kind);
    if (profile === undefined) throw new Error(`there is no kind ${kind} in ${checkout}`);
    const wanted = new Set(signalNames(profile));
    const kept = samples.filter(({ name }) => wanted.has(name));
    const where = checkout === HERE ? 'here' : 'there';
    contestants.push([`signals from ${kept.length} samples, ${where}`, () => readSignals(profile, kept)]);
    contestants.push([`all of ${samples.length} samples, ${where}`, () => readSamples(profile, samples)]);
  }
  print(`\n${file}`);
  for (const [name, timesUs] of measure(contestants)) {
    print(`  ${name.padEnd(36)} ${median(timesUs).toFixed(1).padStart(9)} us`);
  }
}

function measure(
  contestants: readonly (readonly [string, () => unknown])[],
): ReadonlyMap<string, readonly number[]> {
  const clock = systemClock;
  const times = new Map<string, number[]>(contestants.map(([name]) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, read] of contestants) {
      const startedAt = clock.now();
      for (let count = 0; count < READS_PER_ROUND; count += 1) read();
      times.get(name)?.push(((clock.now() - startedAt) / READS_PER_ROUND) * 1000);
    }
  }
  return times;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, two) => one - two)[Math.floor(values.length / 2)] ?? 0;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
