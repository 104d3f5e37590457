import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { defaultBreakerSettings } from '../fleet/breaker.ts';
import type { Config } from './config.ts';
import { loadConfig } from './load.ts';
import { kindNames } from './names.ts';

const FILES: Readonly<Record<string, string>> = {
  '/etc/penstock/key': 'sk-from-file\n',
  '/etc/penstock/clients': '# the lab\nsk-one\n\nsk-two\n',
  '/etc/penstock/empty': '\n',
  '/etc/penstock/prose': 'not a key\n',
};
const ENV = { LAB_KEY: 'sk-secret-7', LAB_HOST: 'gpu-3.lab', SPACED: 'sk with blank' };

function load(yaml: string): Promise<Config> {
  return loadConfig('/etc/penstock/penstock.yaml', {
    env: ENV,
    readFile: (path) => {
      const content = path.endsWith('penstock.yaml') ? yaml : FILES[path];
      return content === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(content);
    },
  });
}

async function complaint(yaml: string): Promise<string> {
  const error = await load(yaml).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'UsageError' });
  return error instanceof Error ? error.message.replaceAll('/etc/penstock/', '') : '';
}

const oneEngine = 'engines:\n  - url: http://127.0.0.1:8000\n';

test('one line of config gets every default', async () => {
  expect(await load('engines: [{ url: "http://127.0.0.1:8000/" }]')).toEqual({
    engines: [
      {
        name: '127.0.0.1-8000',
        url: 'http://127.0.0.1:8000',
        kind: undefined,
        runtime: undefined,
        key: undefined,
        metrics: undefined,
      },
    ],
    kinds: [],
    aliases: {},
    keys: { client: [], scrape: [] },
    listen: { host: '127.0.0.1', port: 4100, publicUrl: undefined, allowedHosts: [], insecure: false },
    routing: { policy: 'least-requests' },
    scrape: {
      intervalMs: 1_000,
      timeoutMs: 5_000,
      maxPageBytes: 16 * 1024 ** 2,
      page: { lines: 500_000, series: 250_000, labelBytes: 16 * 1024 },
      gzip: false,
      healthEveryMs: 5_000,
    },
    health: { misses: 3, slowStartMs: 30_000 },
    breaker: defaultBreakerSettings,
    stream: { headAfterMs: 10_000 },
    limits: { bodyBytes: 32 * 1024 ** 2, fleetPageSeries: 50_000 },
    log: { level: 'info', format: 'auto' },
  });
});

test('secrets come from the environment and from files beside the config', async () => {
  const { engines, keys } = await load(`
engines:
  - { url: "http://\${LAB_HOST}:8000", key: "\${LAB_KEY}" }
  - { url: "http://b:8000", keyFile: key }
  - { url: "http://c:8000", key: "$\${LAB_KEY}" }
keys: { client: [sk-zero], clientFile: clients, scrapeFile: key }
`);
  expect(engines.map(({ url, key }) => [url, key])).toEqual([
    ['http://gpu-3.lab:8000', 'sk-secret-7'],
    ['http://b:8000', 'sk-from-file'],
    ['http://c:8000', '$' + '{LAB_KEY}'],
  ]);
  expect(keys).toEqual({
    client: ['sk-zero', 'sk-one', 'sk-two'],
    scrape: ['sk-from-file'],
  });
});

test('an environment variable never becomes YAML', async () => {
  const config = await loadConfig('c.yaml', {
    env: { NAME: 'a, url: http://evil' },
    readFile: () =>
      Promise.resolve('engines: [{ url: "http://h", runtime: "$' + '{NAME}" }]\nlisten: { port: 0 }'),
  });
  expect(config.engines[0]?.runtime).toBe('a, url: http://evil');
});

test('a config cannot be changed after it was read', async () => {
  const config = await load(oneEngine);
  expect(() => Object.assign(config.listen, { port: 1 })).toThrow(TypeError);
  expect(() => Object.assign(config.engines, [])).not.toThrow();
  expect(Object.isFrozen(config.engines[0])).toBe(true);
});

test.each<[what: string, yaml: string, message: string]>([
  ['an empty file', '', 'penstock.yaml: the file is empty; it needs at least one engine'],
  ['a list', '- url: http://h', 'penstock.yaml: found a list; expected a section of keys'],
  ['no engines', 'listen: {}', 'penstock.yaml: engines: is missing; expected a list'],
  [
    'engines: []',
    'engines: []',
    'penstock.yaml:1:1: engines: found an empty list; at least one entry is needed',
  ],
  [
    'a misspelled key',
    `${oneEngine}    knd: vllm`,
    'penstock.yaml:3:5: engines[0].knd: no such key; did you mean "kind"? allowed in engines[0]: url, name, kind, key, keyFile, runtime, metrics',
  ],
  [
    'an unknown section',
    `${oneEngine}monitor: {}`,
    'penstock.yaml:3:1: monitor: no such key; allowed here: engines, kinds, aliases, keys, listen, routing, scrape, health, breaker, stream, limits, log',
  ],
  [
    'a misspelled kind',
    `${oneEngine}    kind: vlm`,
    `penstock.yaml:3:5: engines[0].kind: found "vlm"; did you mean "vllm"? allowed: ${kindNames.join(', ')}`,
  ],
  [
    'a URL without scheme',
    'engines: [{ url: "localhost:8000" }]',
    'penstock.yaml:1:13: engines[0].url: found "localhost:8000"; expected a URL such as http://127.0.0.1:8000',
  ],
  [
    'no URL',
    'engines: [{ url: 8000 }]',
    'penstock.yaml:1:13: engines[0].url: found the number 8000; expected a text',
  ],
  [
    'a URL with /v1',
    'engines: [{ url: "http://h:8000/v1" }]',
    'penstock.yaml:1:13: engines[0].url: found "http://h:8000/v1"; leave out the /v1 at its end',
  ],
  [
    'a URL with a password, which is not shown',
    'engines: [{ url: "http://me:hunter2@h:8000" }]',
    'penstock.yaml:1:13: engines[0].url: found "http://***@h:8000"; a URL must not carry a user or password: put the key of an engine under "key" or "keyFile"',
  ],
  [
    'a variable that is not set',
    `${oneEngine}    key: $\{NOWHERE}`,
    'penstock.yaml:3:5: engines[0].key: the environment variable NOWHERE is not set',
  ],
  [
    'a bad key, which is not shown',
    `${oneEngine}    key: "$\{SPACED}"`,
    'penstock.yaml:3:5: engines[0].key: found a text that is not shown, where SPACED has a blank in it; a key is made of printable ASCII characters without blanks',
  ],
  [
    'a key that YAML takes for a number',
    `${oneEngine}keys: { client: [12345] }`,
    'penstock.yaml:3:18: keys.client[0]: found a number; expected a text',
  ],
  [
    'what a variable stood for, which is not shown',
    `${oneEngine}    metrics: "$\{SPACED}"`,
    `penstock.yaml:3:5: engines[0].metrics: found "$\{SPACED}", where SPACED has a blank in it; expected a path that starts with "/" or a full URL`,
  ],
  [
    'a missing key file',
    `${oneEngine}    keyFile: nowhere`,
    'penstock.yaml:3:5: engines[0].keyFile: cannot read "nowhere": no such file',
  ],
  [
    'an empty key file',
    `${oneEngine}    keyFile: empty`,
    'penstock.yaml:3:5: engines[0].keyFile: "empty" holds no key',
  ],
  [
    'a key file with prose',
    `${oneEngine}    keyFile: prose`,
    'penstock.yaml:3:5: engines[0].keyFile: "prose" must hold one key a line, of printable ASCII characters without blanks',
  ],
  [
    'a key file with many keys where one is used',
    `${oneEngine}keys: { scrapeFile: clients }`,
    'penstock.yaml:3:9: keys.scrapeFile: "clients" holds 2 lines; one key is expected',
  ],
  [
    'key and keyFile together',
    `${oneEngine}    key: a\n    keyFile: key`,
    'penstock.yaml:4:5: engines[0].keyFile: stands beside "key"; keep one of the two',
  ],
  [
    'two engines with one url',
    `${oneEngine}  - url: http://127.0.0.1:8000/`,
    'penstock.yaml:3:5: engines[1].url: http://127.0.0.1:8000 is the engine of engines[0] too: its load would count twice; remove one',
  ],
  [
    'two engines with one name',
    `${oneEngine}  - url: http://h\n    name: 127.0.0.1-8000`,
    'penstock.yaml:4:5: engines[1].name: "127.0.0.1-8000" is the name of engines[0] too; give one of them another "name"',
  ],
  [
    'a name with a slash',
    `${oneEngine}    name: a/b`,
    'penstock.yaml:3:5: engines[0].name: found "a/b"; a name has 1 to 63 letters, digits, dots, dashes and underscores and starts with a letter or digit',
  ],
  [
    'an open door',
    `${oneEngine}listen: { host: 0.0.0.0 }`,
    'penstock.yaml:3:11: listen.host: "0.0.0.0" can be reached from other machines and "keys.client" is empty: anybody there could use your engines; add a client key, or set "listen.insecure: true" (serve: --insecure) if that is meant',
  ],
  [
    'a port that is none',
    `${oneEngine}listen: { port: 70000 }`,
    'penstock.yaml:3:11: listen.port: found the number 70000; allowed: up to 65535',
  ],
  [
    'half a port',
    `${oneEngine}listen: { port: 80.5 }`,
    'penstock.yaml:3:11: listen.port: found the number 80.5; expected a whole number',
  ],
  [
    'a policy that is none',
    `${oneEngine}routing: { policy: least-request }`,
    'penstock.yaml:3:12: routing.policy: found "least-request"; did you mean "least-requests"? allowed: least-requests, two-choices, session-hash, round-robin, random',
  ],
  [
    'a duration without a unit',
    `${oneEngine}scrape: { interval: 1 }`,
    'penstock.yaml:3:11: scrape.interval: found the number 1; expected a number with its unit: 500ms, 1s, 2m',
  ],
  [
    'a duration with a wrong unit',
    `${oneEngine}scrape: { interval: 1 second }`,
    'penstock.yaml:3:11: scrape.interval: found "1 second"; expected a number with its unit: 500ms, 1s, 2m',
  ],
  [
    'a duration that is too short',
    `${oneEngine}scrape: { interval: 1ms }`,
    'penstock.yaml:3:11: scrape.interval: found "1ms"; at least 100ms',
  ],
  [
    'a size with a wrong unit',
    `${oneEngine}limits: { bodyBytes: 32 mib }`,
    'penstock.yaml:3:11: limits.bodyBytes: found "32 mib"; expected a size: 32MiB, 64KB, 1048576',
  ],
  [
    'an alias of an alias',
    `${oneEngine}aliases: { a: b, b: c }`,
    'penstock.yaml:3:12: aliases.a: "b" is an alias too (aliases.b); name the model that engines serve',
  ],
  [
    'an alias of itself',
    `${oneEngine}aliases: { a: a }`,
    'penstock.yaml:3:12: aliases.a: is an alias of itself; remove it',
  ],
  [
    'the same key twice',
    `${oneEngine}engines: []`,
    'penstock.yaml:3:1: the key "engines" is there twice; keep one',
  ],
])('%s is refused with its place and what is allowed', async (_what, yaml, message) => {
  expect(await complaint(yaml)).toBe(message);
});

test('broken YAML is refused with line and column', async () => {
  expect(await complaint('engines:\n  - url: "http://h')).toMatch(/^penstock\.yaml:2:\d+: not YAML: /);
});

test('every problem is named, one a line', async () => {
  expect((await complaint('engines: [{ url: x, foo: 1 }]\nlog: { level: loud }')).split('\n')).toHaveLength(
    3,
  );
});

test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1', '[::1]'])('%s needs no key', async (host) => {
  expect((await load(`${oneEngine}listen: { host: "${host}" }`)).listen.host).toBe(
    host.replace(/[[\]]/g, ''),
  );
});

test.each([
  'listen: { host: 0.0.0.0, insecure: true }',
  'listen: { host: "::" }\nkeys: { client: [sk-1] }',
  'listen: { host: gate.lab }\nkeys: { clientFile: clients }',
])('%s may be reached from elsewhere', async (extra) => {
  expect((await load(`${oneEngine}${extra}`)).listen.host).not.toBe('127.0.0.1');
});

test.each([
  ['http://gpu-3.lab:8000', 'gpu-3.lab-8000'],
  ['https://gpu.lab', 'gpu.lab-443'],
  ['http://gpu.lab/llama', 'gpu.lab-80'],
  ['http://[fd00::5]:8000', 'fd00-5-8000'],
])('%s is called %s', async (url, name) => {
  expect((await load(`engines: [{ url: "${url}" }]`)).engines[0]?.name).toBe(name);
});

test('a file that is not there is named', async () => {
  await expect(
    loadConfig('nowhere.yaml', { env: {}, readFile: (path) => readFile(path, 'utf8') }),
  ).rejects.toThrow(/^cannot read nowhere\.yaml: /);
});

const EXAMPLES = join(import.meta.dirname, '../../examples');
const examples = readdirSync(EXAMPLES).filter((file) => file.endsWith('.yaml'));

test('there is an example for each kind and one for a mixed fleet', () => {
  expect(examples).toEqual(
    expect.arrayContaining(
      ['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata', 'ollama', 'mixed-fleet'].map(
        (kind) => `${kind}.yaml`,
      ),
    ),
  );
});

test.each(examples)('examples/%s loads', async (file) => {
  const path = join(EXAMPLES, file);
  // Whatever an example takes from its environment or from files beside it is given.
  const names = [...readFileSync(path, 'utf8').matchAll(/\$\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const config = await loadConfig(path, {
    env: Object.fromEntries(names.map((name) => [name, `sk-${name}`])),
    readFile: (asked) => (asked === path ? readFile(path, 'utf8') : Promise.resolve('sk-example\n')),
  });
  expect(config.engines.length).toBeGreaterThan(0);
});
