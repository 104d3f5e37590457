/**
 * How fast are the fast read and the full parser, beside others that read the same pages?
 * `node --import tsx bench/parse.ts`
 *
 * Alternating rounds in one process, medians; promtool is a process of its own, whose time without a page is taken
 * off, and it also lints. Compare only numbers of one run.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import parsePrometheusTextFormat from 'parse-prometheus-text-format';

import { profiles } from '../src/engines/index.ts';
import { signalNames } from '../src/engines/signals.ts';
import { fastRead } from '../src/exposition/fast-read.ts';
import { nameTable } from '../src/exposition/name-table.ts';
import { parseExposition } from '../src/exposition/parse.ts';
import { systemClock } from '../src/kit/clock.ts';
import { programPath } from '../test/kit/programs.ts';

const ROUNDS = 15;
/** Enough for a round to be long against the clock and what else the machine does. */
const ROUND_BYTES = 8_000_000;
const NPM = 'npm parse-prometheus-text-format';

const promtool = programPath('promtool');

print(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}, ${ROUNDS} rounds, medians`);
contest('a vLLM page', vllmPage(200_000), 'vllm');
contest('a Ray page', rayPage(5_000_000), 'ray-vllm');

function contest(title: string, page: Uint8Array, kind: string): void {
  const table = nameTable(namesOf(kind));
  const text = new TextDecoder().decode(page);
  const { samples, families } = parseExposition(page, 'text-0.0.4');
  const contestants: Readonly<Record<string, () => number>> = {
    [`fast read, ${table.names.length} names`]: () => fastRead(page, table).length,
    'full parser': () => parseExposition(page, 'text-0.0.4').samples.length,
    [NPM]: () => parsePrometheusTextFormat(text).length,
  };
  const times = measure(contestants, Math.max(1, Math.round(ROUND_BYTES / page.length)));
  const npmMs = median(times.get(NPM) ?? []);
  print(
    `\n${title}: ${page.length} bytes, ${families.length} families, ${samples.length} samples; ${fastRead(page, table).length} wanted`,
  );
  for (const [name, timesMs] of times) row(name, page.length, median(timesMs), npmMs);
  if (promtool !== undefined) row('promtool check metrics', page.length, promtoolMs(promtool, page), npmMs);
}

function namesOf(kind: string): readonly string[] {
  const profile = profiles.find((one) => one.kind === kind);
  if (profile === undefined) throw new Error(`there is no kind ${kind}`);
  return signalNames(profile);
}

function measure(
  contestants: Readonly<Record<string, () => number>>,
  pagesPerRound: number,
): ReadonlyMap<string, readonly number[]> {
  const times = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  // The first round is for the compiler.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, run] of Object.entries(contestants)) {
      const startedAt = systemClock.now();
      for (let count = 0; count < pagesPerRound; count += 1) run();
      if (round > 0) times.get(name)?.push((systemClock.now() - startedAt) / pagesPerRound);
    }
  }
  return times;
}

function promtoolMs(program: string, page: Uint8Array): number {
  const run = (input: Uint8Array): number => {
    const startedAt = systemClock.now();
    spawnSync(program, ['check', 'metrics'], { input });
    return systemClock.now() - startedAt;
  };
  const oneLine = new TextEncoder().encode('a 1\n');
  return median(Array.from({ length: ROUNDS }, () => -run(oneLine) + run(page)));
}

function row(name: string, bytes: number, ms: number, npmMs: number): void {
  const columns = [
    name.padEnd(34),
    `${(ms * 1e3).toFixed(0).padStart(8)} µs`,
    `${(bytes / 1e3 / ms).toFixed(0).padStart(6)} MB/s`,
    `${(npmMs / ms).toFixed(1).padStart(6)} x npm`,
  ];
  print(columns.join('  '));
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** A page with as many data-parallel ranks as it takes. */
function vllmPage(bytes: number): Uint8Array {
  return repeated('synthetic-vllm-v1-2026-core.prom', bytes, (line, copy) =>
    line.replace('engine="0"', `engine="${copy + 1}"`),
  );
}

/** A Ray cluster's page with as many replicas as it takes. */
function rayPage(bytes: number): Uint8Array {
  return repeated('synthetic-ray-vllm-2026.prom', bytes, (line, copy) =>
    line
      .replace('ReplicaId="replica-a"', `ReplicaId="replica-${copy}"`)
      .replace('WorkerId="worker-a"', `WorkerId="worker-${copy}"`),
  );
}

/** A fixture with each family's samples as often as it takes to fill a page, under labels of their own. */
function repeated(file: string, bytes: number, relabel: (line: string, copy: number) => string): Uint8Array {
  const whole = readFileSync(join(import.meta.dirname, '../test/fixtures/engine-metrics', file), 'utf8');
  const copies = Math.round(bytes / whole.length);
  const families = whole.split(/^(?=# HELP )/m).map((family) => {
    const lines = family.split(/^/m);
    const head = lines.filter((line) => line.startsWith('#'));
    const samples = lines.filter((line) => !line.startsWith('#'));
    // A line without such labels stands once, as it would.
    const all = samples.filter((line) => relabel(line, -1) === line);
    for (let copy = 0; copy < copies; copy += 1) {
      all.push(
        ...samples.map((line) => relabel(line, copy)).filter((line, index) => line !== samples[index]),
      );
    }
    return [...head, ...all].join('');
  });
  return new TextEncoder().encode(families.join(''));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
