import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';

import { systemClock } from '../../src/kit/clock.ts';
import { programPath } from './programs.ts';

export const promtool = programPath('promtool');
export const prometheus = programPath('prometheus');

/** What `promtool check metrics` cannot read of a page. Exit 3 are remarks on names, which are vLLM's own. */
export function pageErrors(page: string): string[] {
  try {
    execFileSync(promtool ?? '', ['check', 'metrics'], { input: page, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { status, stderr } = error as { status: number | null; stderr: string };
    return status === 3 ? [] : stderr.split('\n').slice(0, 5);
  }
}

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** Waits until the query has so many results; with none named, until it has any. */
type Query = (expression: string, results?: number) => Promise<readonly Result[]>;

/** A real Prometheus that scrapes each second, as long as `use` runs. It must have nothing to warn of. */
export async function withPrometheus(
  scrape_configs: readonly object[],
  use: (query: Query, ownPage: () => Promise<string>) => Promise<void>,
): Promise<void> {
  await runPrometheus(scrape_configs, async ({ query, url, log }) => {
    await use(query, async () => (await fetch(`${url}/metrics`)).text());
    expect(
      log()
        .split('\n')
        .filter((line) => /level=(?:warn|error)/i.test(line)),
    ).toEqual([]);
  });
}

interface RunningPrometheus {
  readonly url: string;
  readonly query: Query;
  readonly log: () => string;
}

/** The same, whatever it warns of. */
export async function runPrometheus(
  scrape_configs: readonly object[],
  use: (prometheus: RunningPrometheus) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-prometheus-'));
  const port = await freePort();
  const config = { global: { scrape_interval: '1s' }, scrape_configs };
  writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child = spawn(prometheus ?? '', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const exited = once(child, 'exit');
  const until = systemClock.now() + 60_000;
  const query: Query = async (expression, results) => {
    for (;;) {
      const found = await ask(port, expression);
      if (results === undefined ? found.length > 0 : found.length === results) return found;
      if (systemClock.now() > until) throw new Error(`${expression}: ${JSON.stringify(found)}\n${log}`);
      await systemClock.sleep(100);
    }
  };
  try {
    await use({ url: `http://127.0.0.1:${port}`, query, log: () => log });
  } finally {
    child.kill();
    await exited;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function ask(port: number, expression: string): Promise<readonly Result[]> {
  try {
    const answer = await fetch(
      `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`,
    );
    const { data } = (await answer.json()) as { data?: { result: readonly Result[] } };
    return data?.result ?? [];
  } catch {
    // It does not listen yet.
    return [];
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
