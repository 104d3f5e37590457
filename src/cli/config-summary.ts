import type { Config, EngineConfig } from '../config/config.ts';
import { isLoopback } from '../config/cross-check.ts';
import { formatDuration } from '../config/quantity.ts';
import { KEPT_BLANK, wrap } from './wrap.ts';

const SCRAPE_KEY: [string, string] = ['', 'a scrape key, which opens the metrics pages and nothing else'];

/** A start text stays short whatever the fleet. */
const SHOWN_ENGINES = 12;

/** What a config amounts to, in a few aligned lines for a person. Holds no key. */
export function configSummary(config: Config): string {
  const { listen, keys, routing, scrape, aliases } = config;
  const names = Object.keys(aliases);
  const rows: [string, string][] = [
    ...engineRows(config.engines),
    ['listen', `${hostAndPort(listen.host, listen.port)}${listen.port === 0 ? ' (a free port)' : ''}`],
    ['keys', keysText(config)],
    ...(keys.scrape.length > 0 ? [SCRAPE_KEY] : []),
    ['policy', routing.policy],
    [
      'scrape',
      `every ${formatDuration(scrape.intervalMs)}, at most ${formatDuration(scrape.timeoutMs)} each`,
    ],
  ];
  if (config.kinds.length > 0)
    rows.push(['kinds', `${config.kinds.map(({ kind }) => kind).join(', ')}: as this file has them`]);
  if (names.length > 0) rows.push(['aliases', names.join(', ')]);
  return rows.map(([left, right]) => wrap(`  ${left.padEnd(8)} `, right)).join('');
}

function engineRows(engines: readonly EngineConfig[]): [string, string][] {
  const shown = engines.slice(0, SHOWN_ENGINES);
  const nameWidth = Math.max(...shown.map(({ name }) => name.length));
  const urlWidth = Math.max(...shown.map(({ url }) => url.length));
  const rows = shown.map(({ name, url, kind, key }, at): [string, string] => [
    at === 0 ? 'engines' : '',
    `${kept(`${name.padEnd(nameWidth)}  ${url.padEnd(urlWidth)} `)} ${kind ?? 'kind told at first contact'}${key === undefined ? '' : ', with a key'}`,
  ]);
  const more = engines.length - shown.length;
  return more > 0 ? [...rows, ['', `and ${more} more`]] : rows;
}

/** Columns stay columns where a line is broken. */
function kept(columns: string): string {
  return columns.replaceAll(' ', KEPT_BLANK);
}

function keysText({ keys, listen }: Config): string {
  if (keys.client.length > 0)
    return `${keys.client.length} client ${keys.client.length === 1 ? 'key' : 'keys'}`;
  return isLoopback(listen.host)
    ? 'none: whoever is on this machine may use it'
    : 'NONE: whoever reaches this address may use it';
}

function hostAndPort(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
