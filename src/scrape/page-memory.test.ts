import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { profiles } from '../engines/index.ts';
import { Fleet } from '../fleet/fleet.ts';
import { systemClock as clock } from '../kit/clock.ts';
import { http1Client } from '../kit/http1-client.ts';
import { silentLog as log } from '../kit/log.ts';
import { EngineWatch } from './engine-watch.ts';
import { defaultScrapeSettings } from './scraper.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** An engine that says something else at each scrape, behind real sockets. */
async function watched() {
  let scrapes = 0;
  const server = createServer(({ url }, response) => {
    if (url !== '/metrics') return void response.end('{"data":[{"id":"m","owned_by":"vllm"}]}');
    scrapes += 1;
    const padding = '# so that a page has some size\n'.repeat(100);
    response.end(`vllm:num_requests_running ${scrapes}\nvllm:num_requests_waiting 0\n${padding}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const http = http1Client({ clock });
  ends.push(async () => {
    await http.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const reused: boolean[] = [];
  const spied: typeof http = {
    ...http,
    get(url, options) {
      if (url.endsWith('/metrics')) reused.push(options.into !== undefined);
      return http.get(url, options);
    },
  };
  const { port } = server.address() as AddressInfo;
  const settings = { kind: undefined, runtime: undefined, key: undefined, metrics: undefined };
  const fleet = new Fleet({ clock, random: () => 0 });
  const engine = fleet.add({ ...settings, name: 'e', url: `http://127.0.0.1:${port}` });
  const watch = new EngineWatch({ clock, http: spied, log, profiles }, engine, defaultScrapeSettings);
  return { engine, reused, round: () => watch.round(new AbortController().signal) };
}

test('pages that nobody read are written over, one behind', async () => {
  const { engine, reused, round } = await watched();
  for (let at = 0; at < 5; at += 1) await round();
  expect(reused.slice(-3)).toEqual([true, true, true]);
  expect(engine.view().signals?.running).toBe(reused.length);
});

test('a page that somebody holds stays as it was, however often the engine is scraped meanwhile', async () => {
  const { engine, round } = await watched();
  for (let at = 0; at < 3; at += 1) await round();
  const held = engine.page?.bytes ?? new Uint8Array();
  const before = Buffer.from(held).toString();
  for (let at = 0; at < 5; at += 1) await round();
  expect(before).toContain('num_requests_running');
  expect(Buffer.from(held).toString()).toBe(before);
});
