import { nearest } from '../kit/nearest.ts';
import type { Config, EngineConfig } from './config.ts';
import { kindNames } from './names.ts';
import type { Problem } from './problem.ts';
import { isSameServer, leadsTo } from './same-address.ts';

/** What no single field can know: two that contradict each other. Each message names both. */
export function crossCheck(config: Config): readonly Problem[] {
  return [
    ...config.engines.flatMap((engine, at) => twins(engine, at, config.engines)),
    ...config.engines.flatMap((engine, at) => ourselves(engine, at, config)),
    ...config.engines.flatMap((engine, at) => unknownKind(engine, at, config)),
    ...Object.entries(config.aliases).flatMap(([alias, model]) => wrongAlias(alias, model, config.aliases)),
    ...openDoor(config),
  ];
}

function twins(engine: EngineConfig, at: number, engines: readonly EngineConfig[]): readonly Problem[] {
  const before = engines.slice(0, at);
  const same = before.findIndex(({ url }) => isSameServer(url, engine.url));
  if (same >= 0) {
    const other = before[same]?.url;
    const also = other === engine.url ? '' : ` (${other})`;
    const message = `${engine.url} is the engine of engines[${same}]${also} too: its load would count twice; remove one`;
    return [{ path: ['engines', at, 'url'], message }];
  }
  const sameName = before.findIndex(({ name }) => name === engine.name);
  if (sameName >= 0) {
    const message = `"${engine.name}" is the name of engines[${sameName}] too; give one of them another "name"`;
    return [{ path: ['engines', at, 'name'], message }];
  }
  return [];
}

function ourselves({ url }: EngineConfig, at: number, { listen }: Config): readonly Problem[] {
  const { publicUrl } = listen;
  const isPublic = publicUrl !== undefined && isSameServer(url, publicUrl);
  if (!isPublic && !leadsTo(url, listen)) return [];
  const key = isPublic ? 'listen.publicUrl' : 'listen.port';
  const message = `${url} is where Penstock itself listens ("${key}"): its requests would go in circles; give the engine's own address, or listen on another port`;
  return [{ path: ['engines', at, 'url'], message }];
}

function unknownKind({ kind }: EngineConfig, at: number, { kinds }: Config): readonly Problem[] {
  const allowed = [...new Set([...kindNames, ...kinds.map((own) => own.kind)])];
  if (kind === undefined || allowed.includes(kind)) return [];
  const meant = nearest(kind, allowed);
  const hint = meant === undefined ? '' : `did you mean "${meant}"? `;
  const message = `found "${kind}"; ${hint}allowed: ${allowed.join(', ')}`;
  return [{ path: ['engines', at, 'kind'], message }];
}

function wrongAlias(
  alias: string,
  model: string,
  aliases: Readonly<Record<string, string>>,
): readonly Problem[] {
  const path = ['aliases', alias];
  if (alias === model) return [{ path, message: 'is an alias of itself; remove it' }];
  if (!Object.hasOwn(aliases, model)) return [];
  const message = `"${model}" is an alias too (aliases.${model}); name the model that engines serve`;
  return [{ path, message }];
}

/** Beyond this machine without keys: only when somebody says so in as many words. */
function openDoor({ listen, keys }: Config): readonly Problem[] {
  if (isLoopback(listen.host) || listen.insecure || keys.client.length > 0) return [];
  const message = `"${listen.host}" can be reached from other machines and "keys.client" is empty: anybody there could use your engines; add a client key, or set "listen.insecure: true" (serve: --insecure) if that is meant`;
  return [{ path: ['listen', 'host'], message }];
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}
