import type { Engine } from '../fleet/engine.ts';
import { sendJson } from '../serving/answer.ts';
import type { Exchange, Route } from '../serving/routes.ts';
import type { PageDeps, PageSettings } from './deps.ts';

/** One group of Prometheus' HTTP service discovery. */
interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** Where Prometheus reaches the gateway. */
interface Address {
  readonly scheme: string;
  /** `host:port`. */
  readonly host: string;
  /** In front of every path; '' for none. */
  readonly prefix: string;
}

/** `/sd/prometheus`: every engine's page as a target of its own, and the gateway's facts as one more. */
export function sdPage({ fleet, settings }: PageDeps): Route {
  return {
    method: 'GET',
    path: '/sd/prometheus',
    guard: 'scrape',
    handle(exchange) {
      sendJson(exchange.response, 200, targetGroups(fleet.engines(), addressOf(exchange, settings)), {
        'cache-control': 'no-store',
        vary: 'Host',
      });
    },
  };
}

/**
 * `instance` says which machine a series is of: Prometheus would put the gateway's address there for all of them.
 * Which engine it is stands on the series themselves.
 */
function targetGroups(engines: readonly Engine[], address: Address): readonly TargetGroup[] {
  const { scheme, host, prefix } = address;
  const at = (path: string): Record<string, string> => ({
    ...(scheme === 'http' ? {} : { __scheme__: scheme }),
    __metrics_path__: prefix + path,
  });
  const counts = new Map<string, number>();
  for (const engine of engines) {
    const instance = instanceOf(engine);
    counts.set(instance, (counts.get(instance) ?? 0) + 1);
  }
  const groups = engines.map((engine) => {
    const instance = instanceOf(engine);
    const unique = counts.get(instance) === 1;
    const path = `/engines/${encodeURIComponent(engine.name)}/metrics`;
    return { targets: [host], labels: { ...at(path), instance: unique ? instance : engine.name } };
  });
  return [...groups, { targets: [host], labels: { ...at('/metrics/prometheus'), __param_include: 'own' } }];
}

function instanceOf(engine: Engine): string {
  const { url } = engine.settings;
  if (!URL.canParse(url)) return engine.name;
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port === '' ? defaultPort(protocol) : port}`;
}

/**
 * The Host header where it was checked, else the configured address. Without either the header as it came, for its
 * sender alone reads the answer; a client too old to send one gets the address it reached.
 */
function addressOf({ request }: Exchange, settings: PageSettings): Address {
  const { publicUrl, hostChecked, scheme } = settings;
  const header = request.headers.host;
  const asked =
    header !== undefined && /^(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d+)?$/i.test(header) ? header : undefined;
  if (publicUrl !== undefined && (asked === undefined || !hostChecked || asked === new URL(publicUrl).host)) {
    const { protocol, hostname, port, pathname } = new URL(publicUrl);
    return {
      scheme: protocol.slice(0, -1),
      host: `${hostname}:${port === '' ? defaultPort(protocol) : port}`,
      prefix: pathname.replace(/\/+$/, ''),
    };
  }
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const reached = `${localAddress.includes(':') ? `[${localAddress}]` : localAddress}:${localPort}`;
  return { scheme, host: withPort(asked ?? reached, scheme), prefix: '' };
}

function withPort(host: string, scheme: string): string {
  return /:\d+$/.test(host) ? host : `${host}:${defaultPort(`${scheme}:`)}`;
}

function defaultPort(protocol: string): string {
  return protocol === 'https:' ? '443' : '80';
}
