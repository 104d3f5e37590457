/**
 * What do a thousand engines cost? `node --import tsx bench/scrape.ts [SECONDS [ENGINES]]`
 *
 * The real Scraper and Fleet read that many engines once a second, each with a page of about 100 kB that another
 * process serves on loopback. Printed: share of one core this process used, pages that did not come, memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { profiles } from '../src/engines/index.ts';
import { Fleet } from '../src/fleet/fleet.ts';
import { systemClock as clock } from '../src/kit/clock.ts';
import { http1Client } from '../src/kit/http1-client.ts';
import { silentLog as log } from '../src/kit/log.ts';
import { defaultScrapeSettings, Scraper } from '../src/scrape/scraper.ts';

const SECONDS = Number(process.argv[2] ?? 60);
const ENGINES = Number(process.argv[3] ?? 1_000);
/** Detection, first contact and the compiler's warm-up are over by then. */
const WARM_UP_MS = 10_000;

const child = spawn(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'scrape-pages.ts')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [said] = (await once(child.stdout, 'data')) as [Buffer];
const { url, pageBytes } = JSON.parse(said.toString()) as { url: string; pageBytes: number };

const fleet = new Fleet({ clock });
for (let at = 0; at < ENGINES; at += 1) {
  fleet.add({
    name: `engine-${at}`,
    url: `${url}/e/${at}`,
    kind: undefined,
    runtime: undefined,
    key: undefined,
    metrics: undefined,
  });
}
const http = http1Client({ clock });
const scraper = new Scraper({ clock, http, profiles, fleet, log }, defaultScrapeSettings);
scraper.start();
await clock.sleep(WARM_UP_MS);

const heapBefore = heapInUse();
const before = counted();
const rssBefore = process.memoryUsage().rss;
const cpuBefore = process.cpuUsage();
const startedAt = clock.now();
await clock.sleep(SECONDS * 1_000);
const tookMs = clock.now() - startedAt;
const cpu = process.cpuUsage(cpuBefore);
const rssAfter = process.memoryUsage().rss;
const after = counted();
const heapAfter = heapInUse();

const cpuMs = (cpu.user + cpu.system) / 1_000;
const scrapes = after.scrapes - before.scrapes;
const each = after.each.map((count, at) => count - (before.each[at] ?? 0));
const expected = Math.round((ENGINES * tookMs) / defaultScrapeSettings.intervalMs);
print(
  `${ENGINES} engines, pages of ${pageBytes} bytes, ${(tookMs / 1_000).toFixed(1)} s, Node ${process.version}, ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`,
);
print(
  `CPU            ${(cpuMs / tookMs).toFixed(3)} of one core, ${((cpuMs * 1_000) / scrapes).toFixed(0)} µs a scrape (user ${(cpu.user / 1e3 / tookMs).toFixed(3)}, system ${(cpu.system / 1e3 / tookMs).toFixed(3)})`,
);
print(
  `scrapes        ${scrapes} of ${expected} expected, ${Math.min(...each)} to ${Math.max(...each)} of one engine, ${after.failures - before.failures} failed`,
);
const complete = fleet.snapshot().filter(({ contract }) => contract === 'complete').length;
print(`read           ${complete} engines have every signal`);
print(`RSS            ${mb(rssBefore)} at the start, ${mb(rssAfter)} at the end`);
print(
  `heap in use    ${mb(heapBefore)} at the start, ${mb(heapAfter)} at the end, each after a full collection`,
);

await scraper.stop();
await http.close();
child.kill();

interface Counted {
  /** By engine. */
  readonly each: readonly number[];
  readonly scrapes: number;
  readonly failures: number;
}

function counted(): Counted {
  const counts = fleet.engines().map((engine) => engine.counts);
  const each = counts.map(({ scrapes }) => scrapes);
  const failures = counts.flatMap((one) => [...one.failures.values()]);
  return { each, scrapes: sum(each), failures: sum(failures) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** What a full collection leaves. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
