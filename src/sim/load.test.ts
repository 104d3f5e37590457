import { afterAll, expect, test } from 'vitest';

import { totalOf } from '../../test/kit/sim.ts';
import { SimServers } from '../../test/kit/sim-servers.ts';
import { parseExposition } from '../exposition/parse.ts';
import { systemClock } from '../kit/clock.ts';
import { type Log, silentLog } from '../kit/log.ts';
import { seededRandom } from '../kit/random.ts';
import { startLoad } from './load.ts';

const servers = new SimServers();
afterAll(() => servers.stop());

test('a load asks streamed questions that share prefixes, some clients leave, and it ends when told', async () => {
  const { url } = await servers.start({ kind: 'vllm', profile: 'llama-3-8b-h100', speed: 20 });
  const warnings: unknown[] = [];
  const log: Log = { ...silentLog, warn: (_, fields) => warnings.push(fields) };
  const load = startLoad(
    { clock: systemClock, random: seededRandom(1), log },
    { baseUrl: url, models: ['m'], requestsPerSecond: 80, maxTokens: { from: 20, to: 200 } },
  );
  const until = systemClock.now() + 10_000;
  let hits = 0;
  let leavers = 0;
  while (systemClock.now() < until && (hits === 0 || leavers === 0)) {
    await systemClock.sleep(20);
    const page = parseExposition(
      new Uint8Array(await (await fetch(`${url}/metrics`)).arrayBuffer()),
      'text-0.0.4',
    );
    hits = totalOf(page, 'vllm:prefix_cache_hits_total') ?? 0;
    leavers = totalOf(page, 'vllm:request_success_total', { finished_reason: 'abort' }) ?? 0;
  }
  expect(hits).toBeGreaterThan(0);
  expect(leavers).toBeGreaterThan(0);
  await load.stop();
  expect(warnings).toEqual([]);
});
