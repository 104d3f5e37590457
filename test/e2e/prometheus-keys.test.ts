import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { prometheus, withPrometheus } from '../kit/real-prometheus.ts';
import { startFleet } from './fleet.ts';

/** The README's own scrape_configs for a gateway with keys, with this gateway and this key file in it. */
function readmeConfig(url: string, keyFile: string): readonly object[] {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const blocks = [...readme.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  const block = blocks.find((text) => text.startsWith('scrape_configs:') && text.includes('authorization'));
  const here = block
    ?.replaceAll('http://gate.lab:4100', url)
    .replaceAll('/etc/prometheus/penstock.key', keyFile)
    .replaceAll('scrape_interval: 5s', 'scrape_interval: 1s');
  return (parse(here ?? '') as { scrape_configs: readonly object[] }).scrape_configs;
}

test.skipIf(prometheus === undefined).each([
  ['the scrape key', 'sk-scrape'],
  ['a client key', 'sk-client'],
])(
  'the configuration of the README has a real Prometheus see every engine through %s (needs prometheus)',
  async (_, key) => {
    const folder = mkdtempSync(join(tmpdir(), 'penstock-key-'));
    const keyFile = join(folder, 'penstock.key');
    writeFileSync(keyFile, `${key}\n`);
    const fleet = await startFleet([{ kind: 'vllm' }, { kind: 'llama-cpp' }], {
      keys: { client: ['sk-client'], scrape: 'sk-scrape' },
    });
    try {
      expect((await fetch(`${fleet.url}/sd/prometheus`)).status).toBe(401);
      await withPrometheus(readmeConfig(fleet.url, keyFile), async (query) => {
        expect(await query('up == 1', 3)).toHaveLength(3);
        const running = await query('vllm:num_requests_running', 2);
        expect(running.map(({ metric }) => metric['kind']).toSorted()).toEqual(['llama-cpp', 'vllm']);
      });
    } finally {
      await fleet.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  90_000,
);
