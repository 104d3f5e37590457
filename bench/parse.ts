/**
 * How fast are the parser and the fast read? `node --import tsx bench/parse.ts`
 *
 * One page of about 200 kB in vLLM's manner, alternating rounds, medians. Compare only numbers of one run.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { fastRead } from '../src/exposition/fast-read.ts';
import { nameTable } from '../src/exposition/name-table.ts';
import { parseExposition } from '../src/exposition/parse.ts';
import { writeText } from '../src/exposition/write-text.ts';
import { systemClock } from '../src/kit/clock.ts';

const ROUNDS = 15;
const PAGES_PER_ROUND = 40;
const PAGE_BYTES = 200_000;

/** What a router wants to know: 15 of some 60 families, most of them with one series a rank. */
const WANTED = [
  'vllm:num_requests_running',
  'vllm:num_requests_waiting',
  'vllm:kv_cache_usage_perc',
  'vllm:prompt_tokens_total',
  'vllm:generation_tokens_total',
  'vllm:prefix_cache_queries_total',
  'vllm:prefix_cache_hits_total',
  'vllm:num_preemptions_total',
  'vllm:request_success_total',
  'vllm:cache_config_info',
  'vllm:time_to_first_token_seconds_sum',
  'vllm:time_to_first_token_seconds_count',
  'vllm:iteration_tokens_total_sum',
  'vllm:iteration_tokens_total_count',
  'process_start_time_seconds',
];

const page = vllmPage();
const table = nameTable(WANTED);
const { samples, families } = parseExposition(page, 'text-0.0.4');
const contests = {
  'fast read, 15 names': () => fastRead(page, table).length,
  'full parser': () => parseExposition(page, 'text-0.0.4').samples.length,
  'writer (same samples)': () => writeText([{ name: 'all', type: 'unknown', samples }]).length,
};

const timesMs = new Map(Object.keys(contests).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, run] of Object.entries(contests)) {
    const startedAt = systemClock.now();
    for (let count = 0; count < PAGES_PER_ROUND; count += 1) run();
    timesMs.get(name)?.push((systemClock.now() - startedAt) / PAGES_PER_ROUND);
  }
}

print(
  `${page.length} bytes, ${samples.length} samples, ${families.length} families; Node ${process.version}`,
);
print(`${fastRead(page, table).length} samples wanted`);
for (const [name, times] of timesMs) {
  const medianMs = times.sort((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
  const mbPerS = page.length / 1e6 / (medianMs / 1e3);
  print(
    `${name.padEnd(24)} ${(medianMs * 1e3).toFixed(0).padStart(6)} µs  ${mbPerS.toFixed(0).padStart(6)} MB/s`,
  );
}

/** The suite's vLLM histogram and gauges under further names and ranks, until the page is large enough. */
function vllmPage(): Uint8Array {
  const fixtures = join(import.meta.dirname, '../test/fixtures/exposition');
  const histogram = readFileSync(join(fixtures, 'text-histogram-name-iteration-tokens-total.prom'), 'utf8');
  const labels = 'engine="0",model_name="meta-llama/Llama-3.1-8B-Instruct"';
  const long = histogram
    .replaceAll('engine="0",', 'engine="0",')
    .replaceAll('model_name="m"', labels.slice(11));
  const buckets = Array.from({ length: 22 }, (_, index) => `${2 ** index}.0`);
  const bucket = /^.*le="1\.0".*\n/m;
  const line = bucket.exec(long)?.[0] ?? '';
  const full = long.replace(bucket, buckets.map((bound) => line.replace('"1.0"', `"${bound}"`)).join(''));
  const scalars = WANTED.filter((name) => !/_(sum|count)$/.test(name));
  const parts = [
    ...scalars.map(
      (name) => `# HELP ${name} One of the values.\n# TYPE ${name} gauge\n${name}{${labels}} 12.0\n`,
    ),
    full,
  ];
  for (let size = parts.join('').length, family = 0; size < PAGE_BYTES; size += full.length, family += 1) {
    parts.push(full.replaceAll('iteration_tokens_total', `request_phase_${family}_seconds`));
  }
  return new TextEncoder().encode(parts.join(''));
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
