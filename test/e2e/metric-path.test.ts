import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { HttpFailure } from '../../src/kit/http.ts';
import { fixtureEngines } from '../kit/fixture-engines.ts';
import { type PageServer, pageServer } from '../kit/page-server.ts';
import { programPath } from '../kit/programs.ts';

const promtool = programPath('promtool');
const prometheus = programPath('prometheus');

let server: PageServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** Every engine was measured by the gateway too, so that no family of ours is absent. */
async function served(): Promise<PageServer> {
  server = await pageServer(fixtureEngines);
  for (const engine of server.fleet.engines()) {
    const { kind, runtime: runtimeName } = engine.view();
    const at = { modelName: 'm "quoted" \\ \n', engineName: engine.name, kind, runtimeName };
    server.metrics.requestStarted();
    server.metrics.firstToken(0.2, at);
    server.metrics.interEvent(0.02, at);
    server.metrics.requestFinished({
      modelName: 'm',
      endpoint: 'chat/completions',
      status: 200,
      seconds: 1,
      engine: at,
    });
    server.metrics.choice('least-requests', 'lowest-load');
  }
  return server;
}

test.skipIf(promtool === undefined)(
  'promtool reads every page of real engine bytes without error (needs promtool)',
  async () => {
    const { url, fleet } = await served();
    const paths = ['/metrics/prometheus', ...fleet.engines().map(({ name }) => `/engines/${name}/metrics`)];
    for (const path of paths) {
      const text = await (await fetch(url + path)).text();
      expect([path, errorsOf(text)]).toEqual([path, []]);
    }
  },
);

/** Exit 3 and lines such as `... no help text` are remarks on names, which are vLLM's own. */
function errorsOf(page: string): string[] {
  try {
    execFileSync(promtool ?? '', ['check', 'metrics'], { input: page, encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    const { status, stderr } = error as { status: number | null; stderr: string };
    return status === 3 ? [] : stderr.split('\n').slice(0, 5);
  }
}

test.skipIf(prometheus === undefined)(
  'a real Prometheus given /sd/prometheus has each engine up under its own instance, a lost one down, and nothing to warn of (needs prometheus)',
  async () => {
    const { url, answers, clock, fleet } = await served();
    answers['sglang'] = () => new HttpFailure('refused', 'connect ECONNREFUSED');
    await clock.advance(5_000);
    const instances = fleet.engines().map(({ name }) => `${name}:8000`);
    await withPrometheus(url, async (query) => {
      const up = await query('up', instances.length + 1);
      const down = up.filter(({ value }) => value[1] !== '1').map(({ metric }) => metric['instance']);
      expect(down).toEqual(['sglang:8000']);
      const gateway = url.replace('http://', '');
      expect(up.map(({ metric }) => metric['instance']).sort()).toEqual([...instances, gateway].sort());
      const running = await query('sum by (instance, kind) (vllm:num_requests_running)', 4);
      expect(running.map(({ metric }) => `${metric['instance']} ${metric['kind']}`).sort()).toEqual([
        'llama:8000 llama-cpp',
        'strata:8000 strata',
        'trtllm:8000 trtllm',
        'vllm:8000 vllm',
      ]);
      // What Prometheus itself says of samples it dropped: series that came twice.
      const dropped = await query('scrape_samples_scraped - scrape_samples_post_metric_relabeling', 7);
      expect(dropped.map(({ value }) => value[1])).toEqual(dropped.map(() => '0'));
    });
  },
  90_000,
);

interface Result {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** @param use gets a query function that waits until the query has so many results. */
async function withPrometheus(
  url: string,
  use: (query: (expression: string, results: number) => Promise<readonly Result[]>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-prometheus-'));
  const port = await freePort();
  const http_sd_configs = [{ url: `${url}/sd/prometheus`, refresh_interval: '1s' }];
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'penstock', http_sd_configs }],
  };
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
  const deadline = Date.now() + 60_000;
  const query = async (expression: string, results: number): Promise<readonly Result[]> => {
    for (;;) {
      const found = await ask(port, expression);
      if (found.length === results) return found;
      if (Date.now() > deadline) throw new Error(`${expression}: ${JSON.stringify(found)}\n${log}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  try {
    await use(query);
    expect(log.split('\n').filter((line) => /level=(?:warn|error)/.test(line))).toEqual([]);
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
