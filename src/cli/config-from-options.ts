import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { policyNames } from '../config/names.ts';
import type { ConfigSource } from '../config/problem.ts';
import { resolveConfig } from '../config/resolve.ts';
import { UsageError } from '../kit/usage-error.ts';
import type { Io } from './command.ts';
import type { CommandOption, Options } from './options.ts';
import { engineUrl, listenAddress, oneOf } from './values.ts';

const DEFAULT_FILE = 'penstock.yaml';

/** Where engines are named: shared by every command that needs some. */
export const ENGINE_OPTIONS: readonly CommandOption[] = [
  {
    flag: 'config',
    value: 'FILE',
    summary: `Config file; ./${DEFAULT_FILE} if it is there and no --engine is given`,
  },
  {
    flag: 'engine',
    value: 'URL',
    repeatable: true,
    summary: 'An engine to add, without /v1: http://127.0.0.1:8000',
  },
];

export const LISTEN_OPTION: CommandOption = {
  flag: 'listen',
  value: 'HOST:PORT',
  summary: 'Where to listen, 127.0.0.1:4100 by default; port 0 takes a free one and prints it',
};

export const POLICY_OPTION: CommandOption = {
  flag: 'policy',
  value: 'NAME',
  summary: `How an engine is picked: ${policyNames.join(', ')}`,
};

export const INSECURE_OPTION: CommandOption = {
  flag: 'insecure',
  summary: 'Listen beyond this machine without client keys',
};

/** The config file that these options lead to; absent when the engines are named by options only. */
export async function configFile(options: Options, io: Io): Promise<string | undefined> {
  const given = options.text('config');
  if (given !== undefined) return given;
  const byDefault = options.texts('engine').length === 0 && (await io.fileExists(DEFAULT_FILE));
  return byDefault ? DEFAULT_FILE : undefined;
}

/** File and options as one config; options win, and their engines come after those of the file. */
export async function configFromOptions(options: Options, io: Io): Promise<Config> {
  const engines = options.texts('engine').map((url) => ({ url: engineUrl('engine', url) }));
  const path = await configFile(options, io);
  if (path === undefined && engines.length === 0) {
    throw new UsageError(
      `no engine is named: give --engine URL, or --config FILE, or write ./${DEFAULT_FILE}; penstock demo needs none of them`,
    );
  }
  return path === undefined
    ? fromEngines(engines, io, options)
    : loadConfig(path, io, withOptions(engines, options));
}

const COMMAND_LINE: ConfigSource = {
  name: 'command line',
  called: ([section]) => OPTIONS[String(section)],
};

const OPTIONS: Readonly<Record<string, string>> = {
  engines: '--engine',
  listen: '--listen',
  routing: '--policy',
};

/** A config without a file: these engines, the options, and every default. */
export function fromEngines(engines: readonly object[], io: Io, options: Options): Promise<Config> {
  // What listens nowhere may look at what is at the port that serve would take.
  const content = options.has('listen') ? {} : { listen: { port: 0 } };
  return resolveConfig(withOptions(engines, options)(content), COMMAND_LINE, io);
}

function withOptions(engines: readonly object[], options: Options): (content: unknown) => unknown {
  const listen = optional(options, 'listen', (text) => listenAddress('listen', text));
  const policy = optional(options, 'policy', (text) => oneOf('policy', text, policyNames));
  const insecure = options.has('insecure') && options.given('insecure');
  return (content) => {
    // Anything but a section is left for the schema to complain about.
    if (!isSection(content)) return content;
    const changed: Record<string, unknown> = { ...content };
    if (engines.length > 0 && (content['engines'] === undefined || Array.isArray(content['engines']))) {
      changed['engines'] = [...(content['engines'] ?? []), ...engines];
    }
    if (listen !== undefined) {
      const host = listen.host === undefined ? {} : { host: listen.host };
      changed['listen'] = { ...section(content['listen']), ...host, port: listen.port };
    }
    if (insecure) changed['listen'] = { ...section(changed['listen']), insecure };
    if (policy !== undefined) changed['routing'] = { ...section(content['routing']), policy };
    return changed;
  };
}

function optional<T>(options: Options, flag: string, read: (text: string) => T): T | undefined {
  const text = options.has(flag) ? options.text(flag) : undefined;
  return text === undefined ? undefined : read(text);
}

function isSection(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function section(value: unknown): Readonly<Record<string, unknown>> {
  return isSection(value) ? value : {};
}
