import { expect, test } from 'vitest';
import { parse } from 'yaml';

import { serveNext } from './serve-next.ts';

const URL = 'http://127.0.0.1:4100';
const curls = (text: string): readonly string[] => text.replaceAll(/\\\n +/g, '').match(/curl .*/g) ?? [];

test('without keys every line works as it stands', () => {
  const text = serveNext(URL, { client: [], scrape: [] });
  expect(curls(text)).toEqual([`curl ${URL}/v1/models`, `curl ${URL}/metrics/prometheus`]);
  expect(scrapeConfig(text)).toEqual([
    { job_name: 'penstock', http_sd_configs: [{ url: `${URL}/sd/prometheus` }] },
  ]);
});

test('with client keys every line says where the key goes, and none shows it', () => {
  const text = serveNext(URL, { client: ['sk-1'], scrape: [] });
  expect(curls(text)).toEqual([
    `curl -H "Authorization: Bearer $KEY" ${URL}/v1/models`,
    `curl -H "Authorization: Bearer $KEY" ${URL}/metrics/prometheus`,
  ]);
  const authorization = { type: 'Bearer', credentials_file: 'penstock.key' };
  expect(scrapeConfig(text)).toEqual([
    {
      job_name: 'penstock',
      http_sd_configs: [{ url: `${URL}/sd/prometheus`, authorization }],
      authorization,
    },
  ]);
  expect(text).not.toContain('sk-1');
});

test('a scrape key is the one for the pages', () => {
  const alone = serveNext(URL, { client: [], scrape: ['sk-2'] });
  expect(curls(alone)).toEqual([
    `curl ${URL}/v1/models`,
    `curl -H "Authorization: Bearer $SCRAPE_KEY" ${URL}/metrics/prometheus`,
  ]);
  const both = serveNext(URL, { client: ['sk-1'], scrape: ['sk-2'] });
  expect(both).toContain('# KEY: one of keys.client; SCRAPE_KEY: keys.scrape');
  expect(both).not.toMatch(/sk-/);
});

test('it fits a terminal', () => {
  for (const line of serveNext(URL, { client: ['k'], scrape: ['s'] }).split('\n')) {
    expect(line.length).toBeLessThanOrEqual(80);
  }
});

function scrapeConfig(text: string): unknown {
  return parse(text.slice(text.indexOf('  # Prometheus')));
}
