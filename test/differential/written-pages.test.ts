import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { familyResolver } from '../../src/exposition/family-of.ts';
import { parseExposition } from '../../src/exposition/parse.ts';
import { writeOpenMetrics } from '../../src/exposition/write-open-metrics.ts';
import { type WrittenFamily, writeText } from '../../src/exposition/write-text.ts';
import { prometheus, runPrometheus } from '../kit/real-prometheus.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures/engine-metrics');
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';

const engines = readdirSync(FIXTURES)
  .filter((file) => file.endsWith('.prom'))
  .map((file) => familiesOf(readFileSync(join(FIXTURES, file))));
/** Every engine's page in both formats, at `/<format>/<index>`. */
const written = {
  text: engines.map((families) => writeText(families)),
  openmetrics: engines.map((families) => writeOpenMetrics(families)),
};

let server: Server;
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, format, index] = (request.url ?? '').split('/');
    const pages = format === 'text' ? written.text : written.openmetrics;
    response.writeHead(200, { 'content-type': format === 'text' ? TEXT : OPEN_METRICS });
    response.end(pages[Number(index)]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('every page that is written as OpenMetrics keeps its rules', () => {
  expect(engines.length).toBeGreaterThan(10);
  for (const page of written.openmetrics) {
    const { samples } = parseExposition(new TextEncoder().encode(page), 'openmetrics-1.0.0', {
      strict: true,
    });
    expect(samples.length).toBeGreaterThan(5);
  }
});

test.skipIf(prometheus === undefined)(
  'a real Prometheus stores the same series from both formats (needs prometheus)',
  { timeout: 90_000 },
  async () => {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const scrape = {
      job_name: 'pages',
      static_configs: engines.flatMap((_, index) =>
        ['text', 'openmetrics'].map((format) => ({
          targets: [host],
          labels: { __metrics_path__: `/${format}/${index}`, format, made_page: String(index) },
        })),
      ),
    };
    await runPrometheus([scrape], async ({ query }) => {
      await query('up', 2 * engines.length);
      expect((await query('up == 1', 2 * engines.length)).length).toBe(2 * engines.length);
      const stored = await query('sum by (format, made_page) (scrape_samples_scraped)', 2 * engines.length);
      const counts = new Map(
        stored.map(({ metric, value }) => [`${metric['format']}/${metric['made_page']}`, value[1]]),
      );
      for (const [index, families] of engines.entries()) {
        const samples = families.reduce((count, family) => count + family.samples.length, 0);
        expect([counts.get(`text/${index}`), counts.get(`openmetrics/${index}`)]).toEqual([
          String(samples),
          String(samples),
        ]);
      }
      const series = async (format: string): Promise<readonly string[]> => {
        const found = await query(`{format="${format}",__name__!~"up|scrape_.*"}`);
        return found
          .map(({ metric: { format: _, ...labels }, value }) => JSON.stringify([labels, value[1]]))
          .sort();
      };
      expect(await series('openmetrics')).toEqual(await series('text'));
    });
  },
);

function familiesOf(page: Uint8Array): readonly WrittenFamily[] {
  const { families, samples } = parseExposition(page, 'text-0.0.4');
  const resolve = familyResolver(families);
  const byName = new Map(
    families.map((family) => [family.name, { ...family, samples: [] as typeof samples }]),
  );
  for (const sample of samples) {
    const { family, type } = resolve(sample.name);
    const known = byName.get(family) ?? { name: family, type, samples: [] };
    byName.set(family, { ...known, samples: [...known.samples, sample] });
  }
  return [...byName.values()];
}
