import type { Config } from '../config/config.ts';
import { COLUMNS } from './wrap.ts';

/** What to try once the gateway runs, as lines that can be copied; a key is named and never shown. */
export function serveNext(url: string, { client, scrape }: Config['keys']): string {
  // The pages want a key as soon as there is any; requests only once there are client keys.
  const requests = client.length > 0 ? 'KEY' : undefined;
  const pages = scrape.length > 0 ? 'SCRAPE_KEY' : requests;
  return [
    'Next:',
    ...(pages === undefined ? [] : [`  # ${whatTheyAre(requests, pages)}`]),
    ...curl(requests, `${url}/v1/models`),
    ...curl(pages, `${url}/metrics/prometheus`),
    '',
    '  # Prometheus, under scrape_configs',
    ...scrapeConfig(url, pages !== undefined),
    '',
  ].join('\n');
}

function whatTheyAre(requests: string | undefined, pages: string): string {
  const names = [
    ...(requests === undefined ? [] : ['KEY: one of keys.client']),
    ...(pages === 'SCRAPE_KEY' ? ['SCRAPE_KEY: keys.scrape'] : []),
  ];
  return names.join('; ');
}

/** The header in double quotes, so that the shell puts the key in. */
function curl(key: string | undefined, url: string): readonly string[] {
  const header = key === undefined ? '' : `-H "Authorization: Bearer $${key}" `;
  const line = `  curl ${header}${url}`;
  return line.length <= COLUMNS ? [line] : [`  curl ${header}\\`, `    ${url}`];
}

function scrapeConfig(url: string, wantsKey: boolean): readonly string[] {
  const key = 'authorization: { type: Bearer, credentials_file: penstock.key }';
  return [
    '  - job_name: penstock',
    '    http_sd_configs:',
    `      - url: ${url}/sd/prometheus`,
    ...(wantsKey ? [`        ${key}`, `    ${key}`] : []),
  ];
}
