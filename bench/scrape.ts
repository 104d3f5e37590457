/**
 * What do a thousand engines cost? `node --import tsx bench/scrape.ts [SECONDS [ENGINES]]`
 *
 * The real Scraper and Fleet read that many engines once a second, each with a page of about 100 kB that another
 * process serves on loopback. Printed: share of one core this process used, pages that did not come, memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

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

const before = counted();
const cpuBefore = process.cpuUsage();
const startedAt = clock.now();
const memory: { readonly seconds: number; readonly heap: number; readonly rss: number }[] = [];
for (let second = 0; second < SECONDS; second += 1) {
  remember();
  await clock.sleep(1_000);
}
remember();
const tookMs = clock.now() - startedAt;
const cpu = process.cpuUsage(cpuBefore);
const after = counted();

const cpuMs = (cpu.user + cpu.system) / 1_000;
const scrapes = after.scrapes - before.scrapes;
const expected = Math.round((ENGINES * tookMs) / defaultScrapeSettings.intervalMs);
print(
  `${ENGINES} engines, pages of ${pageBytes} bytes, ${(tookMs / 1_000).toFixed(1)} s, Node ${process.version}`,
);
print(
  `CPU            ${(cpuMs / tookMs).toFixed(3)} of one core, ${((cpuMs * 1_000) / scrapes).toFixed(0)} µs a scrape (user ${(cpu.user / 1e3 / tookMs).toFixed(3)}, system ${(cpu.system / 1e3 / tookMs).toFixed(3)})`,
);
print(
  `scrapes        ${scrapes} of ${expected} expected, ${after.failures - before.failures} failed, contract ${[...states()].join(' ')}`,
);
print(`RSS            ${mb(memory[0]?.rss)} at the start, ${mb(memory.at(-1)?.rss)} at the end`);
print(
  `heap           ${mb(memory[0]?.heap)} at the start, ${mb(memory.at(-1)?.heap)} at the end, slope ${(slopePerMinute() / 1e6).toFixed(2)} MB a minute`,
);

await scraper.stop();
await http.close();
child.kill();

function counted(): { readonly scrapes: number; readonly failures: number } {
  let scrapes = 0;
  let failures = 0;
  for (const { counts } of fleet.engines()) {
    scrapes += counts.scrapes;
    for (const count of counts.failures.values()) failures += count;
  }
  return { scrapes, failures };
}

function states(): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { contract } of fleet.snapshot()) found.set(contract, (found.get(contract) ?? 0) + 1);
  return found;
}

function remember(): void {
  const { heapUsed, rss } = process.memoryUsage();
  memory.push({ seconds: (clock.now() - startedAt) / 1_000, heap: heapUsed, rss });
}

/** Least squares over the lowest point of each ten seconds: what stays after collections. */
function slopePerMinute(): number {
  const lowest = new Map<number, { seconds: number; heap: number }>();
  for (const { seconds, heap } of memory) {
    const window = Math.floor(seconds / 10);
    const known = lowest.get(window);
    if (known === undefined || heap < known.heap) lowest.set(window, { seconds, heap });
  }
  const points = [...lowest.values()];
  const meanX = points.reduce((sum, { seconds }) => sum + seconds, 0) / points.length;
  const meanY = points.reduce((sum, { heap }) => sum + heap, 0) / points.length;
  const over = points.reduce((sum, { seconds, heap }) => sum + (seconds - meanX) * (heap - meanY), 0);
  const under = points.reduce((sum, { seconds }) => sum + (seconds - meanX) ** 2, 0);
  return under === 0 ? 0 : (over / under) * 60;
}

function mb(bytes = 0): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
