import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { programPath } from '../kit/programs.ts';
import { eventually, startFleet, type TestFleet } from './fleet.ts';

const KINDS = ['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata', 'ollama'];
const promtool = programPath('promtool');
const prometheus = programPath('prometheus');

let fleet: TestFleet;

beforeAll(async () => {
  fleet = await startFleet(KINDS.map((kind) => (kind === 'vllm' ? { kind, ranks: 2 } : { kind })));
  await eventually(async () => {
    const { data } = (await (await fetch(`${fleet.url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(KINDS.map((kind) => `model-${kind}`)));
  });
  await Promise.all(KINDS.map((kind) => chat(`model-${kind}`)));
});

afterAll(() => fleet.stop());

async function chat(model: string): Promise<void> {
  const answer = await fetch(`${fleet.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, max_tokens: 5, messages: [{ role: 'user', content: 'Hi' }] }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
}

test.skipIf(promtool === undefined).each(['/metrics', '/metrics/prometheus', '/metrics?include=own'])(
  'promtool finds no parse error in %s (needs promtool)',
  async (path) => {
    const text = await (await fetch(`${fleet.url}${path}`, { headers: { accept: 'text/plain' } })).text();
    // Exit 3 are remarks on names, which are vLLM's own; exit 1 is a page that does not parse.
    let remarks = '';
    try {
      execFileSync(promtool ?? '', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    } catch (error) {
      const { status, stderr } = error as { status: number; stderr: string };
      remarks = stderr;
      expect({ status, stderr }).toMatchObject({ status: 3 });
    }
    expect(remarks).not.toMatch(/error while parsing/);
  },
);

test.skipIf(prometheus === undefined)(
  'a real Prometheus, pointed at /sd/prometheus, has every engine up and no warning in its log (needs prometheus)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'penstock-prometheus-'));
    const port = await freePort();
    writeFileSync(
      join(folder, 'prometheus.yml'),
      JSON.stringify({
        global: { scrape_interval: '1s', scrape_timeout: '1s' },
        scrape_configs: [
          {
            job_name: 'penstock',
            http_sd_configs: [{ url: `${fleet.url}/sd/prometheus`, refresh_interval: '1s' }],
          },
        ],
      }),
    );
    let log = '';
    const child = spawn(prometheus ?? '', [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=info',
    ]);
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString();
    });
    try {
      const ask = async (
        query: string,
      ): Promise<{ metric: Record<string, string>; value: [number, string] }[]> => {
        const answer = await fetch(
          `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`,
        );
        return ((await answer.json()) as { data: { result: never[] } }).data.result;
      };
      await eventually(async () => {
        const up = await ask('up');
        expect(up).toHaveLength(KINDS.length + 1);
        expect(up.map(({ value }) => value[1])).toEqual(up.map(() => '1'));
      }, 30_000);
      await eventually(async () => {
        const running = await ask('vllm:num_requests_running');
        expect(new Set(running.map(({ metric }) => metric['kind']))).toEqual(
          new Set(KINDS.filter((kind) => kind !== 'ollama')),
        );
        const ranks = running
          .filter(({ metric }) => metric['kind'] === 'vllm')
          .map(({ metric }) => metric['engine']);
        expect(ranks.sort()).toEqual(['0', '1']);
        // One series per engine and rank: nothing is seen twice.
        expect(running).toHaveLength(KINDS.length);
      }, 30_000);
      expect(log.split('\n').filter((line) => /level=(warn|error)/.test(line))).toEqual([]);
    } finally {
      child.kill();
      await once(child, 'exit');
      rmSync(folder, { recursive: true, force: true });
    }
  },
  90_000,
);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
