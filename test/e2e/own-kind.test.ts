import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { startApp } from '../../src/app.ts';
import { doctor } from '../../src/cli/doctor/doctor.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { loadConfig } from '../../src/config/load.ts';
import { systemClock } from '../../src/kit/clock.ts';
import { silentLog } from '../../src/kit/log.ts';
import { seededRandom } from '../../src/kit/random.ts';
import { fakeIo } from '../kit/fake-io.ts';
import { eventually } from './fleet.ts';

const ANSWERS: Readonly<Record<string, string>> = {
  '/health': '',
  '/v1/models': '{"data":[{"id":"m"}]}',
  '/stats?all=1': `my_requests{state="running"} 3
my_requests{state="queued"} 2
my_cache_percent 25
my_first_token_ms_bucket{le="250"} 4
my_first_token_ms_bucket{le="+Inf"} 10
my_first_token_ms_sum 5000
my_first_token_ms_count 10
`,
};

let engine: Server;
let yaml: string;

beforeEach(async () => {
  engine = createServer((request, response) => {
    const body = ANSWERS[request.url ?? ''];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/plain' });
    response.end(body);
  });
  await new Promise<void>((resolve) => {
    engine.listen(0, '127.0.0.1', resolve);
  });
  yaml = `engines: [{ url: "http://127.0.0.1:${(engine.address() as AddressInfo).port}", name: mine, kind: my-engine }]
listen: { port: 0 }
scrape: { interval: 100ms }
kinds:
  my-engine:
    title: My engine
    metrics: { path: "/stats?all=1" }
    families:
      "vllm:num_requests_running": { names: [my_requests], where: { state: running } }
      "vllm:num_requests_waiting": { names: [my_requests], where: { state: queued } }
      "vllm:kv_cache_usage_perc": { names: [my_cache_percent], unit: percent }
      "vllm:time_to_first_token_seconds": { names: [my_first_token_ms], unit: ms }
`;
});

afterEach(async () => {
  engine.closeAllConnections();
  await new Promise((resolve) => engine.close(resolve));
});

test("an engine of a kind that only the config knows is shown under vLLM's names", async () => {
  const config = await loadConfig('p.yaml', { env: {}, readFile: () => Promise.resolve(yaml) });
  const world = { clock: systemClock, random: seededRandom(1), log: silentLog, version: '0.0.0' };
  const app = await startApp(config, world);
  try {
    const page = await eventually(async () => {
      const answer = await fetch(`${app.url}/engines/mine/metrics`);
      expect(answer.status).toBe(200);
      return answer.text();
    });
    const value = (series: RegExp): string | undefined => series.exec(page)?.[1];
    expect(value(/^vllm:num_requests_running\{[^}]*kind="my-engine"[^}]*\} (.+)$/m)).toBe('3');
    expect(value(/^vllm:kv_cache_usage_perc\{[^}]*\} (.+)$/m)).toBe('0.25');
    expect(value(/^vllm:time_to_first_token_seconds_bucket\{[^}]*le="0.25"[^}]*\} (.+)$/m)).toBe('4');
    expect(value(/^vllm:time_to_first_token_seconds_sum\{[^}]*\} (.+)$/m)).toBe('5');
  } finally {
    await app.stop();
  }
});

test('doctor reads it by the same file', async () => {
  const { io, written } = fakeIo({ files: { 'p.yaml': yaml } });
  await runCli(['doctor', '--config', 'p.yaml'], { commands: [doctor], version: '0', io });
  expect(written.out).toContain('My engine (configured)');
  expect(written.out).toContain('running 3, waiting 2, KV in use 25 %');
});
