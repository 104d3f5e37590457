/**
 * Do streams wait while somebody reads large metrics pages? `node --import tsx bench/translate.ts`
 *
 * First what one page costs by its size, translated where the streams are: that sets the size from which on a thread
 * takes it. Then a page of 5 MB, asked for with and without the thread while a timer stands for the streams: the
 * longest the loop stood still. Last the memory of a fleet's page: 50 engines of 100 kB asked for at once.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { emptyReading } from '../src/engines/empty-reading.ts';
import { vllm } from '../src/engines/vllm.ts';
import { pageOf } from '../src/engines/write.ts';
import { writeText } from '../src/exposition/write-text.ts';
import { systemClock as clock } from '../src/kit/clock.ts';
import { silentLog as log } from '../src/kit/log.ts';
import { pageChunks, renderPage } from '../src/metrics/rendered-page.ts';
import type { RawPage, TranslatedEngine } from '../src/metrics/translate.ts';
import { Translator } from '../src/metrics/translator.ts';

const SIZES = [32_000, 64_000, 128_000, 256_000, 512_000, 1_000_000];
const ROUNDS = 15;
const engine = (name: string): TranslatedEngine => ({ name, runtime: 'r', profile: vllm, models: [] });

print(`Node ${process.version}`);
for (const size of SIZES) {
  const page = pageOfSize(size);
  const times = Array.from({ length: ROUNDS }, () => {
    const before = process.cpuUsage();
    renderPage(page, engine('one'));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3;
  });
  print(
    `${kb(page.bytes.length).padStart(9)}  ${median(times).toFixed(1).padStart(6)} ms of CPU, translated here`,
  );
}

const large = pageOfSize(5_000_000);
const idle = await longestStill(() => clock.sleep(2_000));
print(
  `${'idle'.padStart(9)}  ${idle.toFixed(1).padStart(6)} ms at most the loop stood still: what this machine does by itself`,
);
for (const [name, largeBytes] of [
  ['here', Number.POSITIVE_INFINITY],
  ['on a thread', 0],
] as const) {
  const translator = new Translator({ clock, log }, { largeBytes, waitBytes: largeBytes });
  // The thread's start and the compiler's first look are not what is asked here.
  await translator.render(pageOfSize(200_000), engine('warm'));
  const times: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const page = { ...large, bytes: large.bytes.slice() };
    times.push(await longestStill(async () => void (await translator.render(page, engine('one')))));
  }
  const [best, middle] = [Math.min(...times), median(times)].map((ms) => ms.toFixed(1).padStart(6));
  print(
    `${kb(large.bytes.length).padStart(9)}  ${middle} ms at most the loop stood still, translated ${name} (best of 7: ${best})`,
  );
  await translator.stop();
}

const fleet = Array.from({ length: 50 }, () => pageOfSize(100_000));
const translator = new Translator({ clock, log });
const before = process.memoryUsage().rss;
let peak = before;
let bytes = 0;
for (let round = 0; round < 5; round += 1) {
  const pages = fleet.map((page) => ({ ...page, bytes: page.bytes.slice() }));
  const rendered = await Promise.all(
    pages.map((page, at) => translator.render(page, engine(`engine-${at}`))),
  );
  const families = rendered.flatMap((one) => ('families' in one ? one.families : []));
  for (const chunk of pageChunks(families, 'text-0.0.4')) bytes += chunk.length;
  peak = Math.max(peak, process.memoryUsage().rss);
}
await translator.stop();
print(
  `50 engines of 100 kB, five times: ${mb(bytes / 5)} written each time; RSS ${mb(before)} before, ${mb(peak)} at most`,
);

/** The longest gap between two turns of the loop while `run` is under way, beyond the timer's own millisecond. */
async function longestStill(run: () => Promise<void>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await clock.sleep(20);
  await run();
  await clock.sleep(20);
  delay.disable();
  return delay.max / 1e6 - 1;
}

/** As many ranks as fill the size. */
function pageOfSize(size: number): RawPage {
  const perRank = textOf(2).length - textOf(1).length;
  const ranks = Math.max(1, Math.round((size - textOf(1).length) / perRank) + 1);
  return { bytes: new TextEncoder().encode(textOf(ranks)), format: 'text-0.0.4' };
}

function textOf(count: number): string {
  const ranks = Array.from({ length: count }, (_, rank) => String(rank));
  return writeText(pageOf(vllm, emptyReading(vllm, { modelName: 'example/model-8b', ranks })));
}

function median(times: number[]): number {
  return times.sort((one, other) => one - other)[times.length >> 1] ?? Number.NaN;
}

function kb(count: number): string {
  return `${(count / 1e3).toFixed(0)} kB`;
}

function mb(count: number): string {
  return `${(count / 1e6).toFixed(0)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
