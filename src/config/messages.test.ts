import { expect, test } from 'vitest';

import type { Config } from './config.ts';
import { loadConfig } from './load.ts';

const ENV = {
  PORT: '4200',
  YES: 'true',
  SHARE: '0.25',
  WORD: 'many',
  EMPTY: '',
  HOST: 'gpu-3.lab',
  BREAK: 'sk-secret-7\n',
  BLANK: 'sk-secret-7 ',
  EARLY: ' sk-secret-7',
};

const FILES: Readonly<Record<string, string>> = { '/etc/key': 'sk-file', '/etc/clients': 'sk-a\nsk-b' };

function load(yaml: string): Promise<Config> {
  return loadConfig('/etc/c.yaml', {
    env: ENV,
    readFile: (path) => {
      const content = path === '/etc/c.yaml' ? yaml : FILES[path];
      const missing = Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), {
        code: 'ENOENT',
      });
      return content === undefined ? Promise.reject(missing) : Promise.resolve(content);
    },
  });
}

async function complaints(yaml: string): Promise<readonly string[]> {
  const error: unknown = await load(yaml).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ name: 'UsageError' });
  return (error as Error).message.split('\n').map((line) => line.replace(/^\/etc\/c\.yaml/, ''));
}

const one = 'engines:\n  - url: http://127.0.0.1:8000\n';
const variable = (name: string): string => `$\{${name}}`;

test('numbers and yes or no come from the environment as well', async () => {
  const config = await load(`${one}    runtime: "${variable('PORT')}"
listen: { port: "${variable('PORT')}", insecure: "${variable('YES')}" }
breaker:
  faultShare: ${variable('SHARE')}
  faultsInARow: ${variable('PORT')}
kinds: { mine: { families: { "vllm:num_requests_running": { names: [r], scale: "${variable('SHARE')}" } } } }
`);
  expect(config.listen).toMatchObject({ port: 4200, insecure: true });
  expect(config.breaker).toMatchObject({ faultShare: 0.25, faultsInARow: 4200 });
  expect(config.engines[0]?.runtime).toBe('4200');
  expect(config.kinds[0]?.families['vllm:num_requests_running']).toMatchObject({ scale: 0.25 });
});

test('a number that is written as a text in the file is still none', async () => {
  expect(await complaints(`${one}listen: { port: "4200" }`)).toEqual([
    ':3:11: listen.port: found "4200"; expected a number',
  ]);
});

test.each<[what: string, yaml: string, message: string]>([
  [
    'an empty variable',
    `${one}    key: ${variable('EMPTY')}`,
    ':3:5: engines[0].key: the environment variable EMPTY is empty',
  ],
  [
    'an empty variable where nothing is needed',
    `${one}    runtime: ${variable('EMPTY')}`,
    ':3:5: engines[0].runtime: the environment variable EMPTY is empty',
  ],
  [
    'an empty variable inside a text',
    `engines: [{ url: "http://${variable('EMPTY')}:8000" }]`,
    `:1:13: engines[0].url: found "http://${variable('EMPTY')}:8000", where EMPTY is empty; expected a URL such as http://127.0.0.1:8000`,
  ],
  [
    'a line break behind a key',
    `${one}    key: ${variable('BREAK')}`,
    ':3:5: engines[0].key: found a text that is not shown, where BREAK ends in a line break; a key is made of printable ASCII characters without blanks',
  ],
  [
    'a blank behind a key',
    `${one}keys: { client: ["${variable('BLANK')}"] }`,
    ':3:18: keys.client[0]: found a text that is not shown, where BLANK ends in a blank; a key is made of printable ASCII characters without blanks',
  ],
  [
    'a blank before a text',
    `${one}    runtime: ${variable('EARLY')}`,
    `:3:5: engines[0].runtime: found "${variable('EARLY')}", where EARLY starts with a blank; leave out the blank at its start or end`,
  ],
  [
    'a variable that is no number',
    `${one}listen: { port: "${variable('WORD')}" }`,
    `:3:11: listen.port: found "${variable('WORD')}"; expected a number`,
  ],
  [
    'a blank behind an alias, which no request would match',
    `${one}aliases: { small: "llama " }`,
    ':3:12: aliases.small: found "llama "; leave out the blank at its start or end',
  ],
  [
    'an engine that is only a URL',
    'engines:\n  - http://x:1',
    ':2:5: engines[0]: found "http://x:1"; write "- url: http://x:1"',
  ],
  [
    'engines that are only a URL',
    'engines: http://x:1',
    ':1:1: engines: found "http://x:1"; expected a list: "- url: http://x:1" on a line below',
  ],
  [
    'a host that is a URL',
    `${one}listen: { host: "http://0.0.0.0" }`,
    ':3:11: listen.host: found "http://0.0.0.0"; expected a host name or an address, without scheme and port: 127.0.0.1, gate.lab',
  ],
  [
    'a host with a port',
    `${one}listen: { host: "127.0.0.1:4100" }`,
    ':3:11: listen.host: found "127.0.0.1:4100"; expected a host name or an address, without scheme and port: 127.0.0.1, gate.lab',
  ],
  [
    'a host that is no address',
    `${one}listen: { host: 10.0.0.300 }`,
    ':3:11: listen.host: found "10.0.0.300"; expected a host name or an address: 127.0.0.1, gate.lab',
  ],
  [
    'an allowed host with a port, which no request would match',
    `${one}listen: { allowedHosts: ["gate.lab:4100"] }`,
    ':3:26: listen.allowedHosts[0]: found "gate.lab:4100"; expected a host name or an address, without scheme and port: 127.0.0.1, gate.lab',
  ],
  [
    'a public URL that is none',
    `${one}listen: { publicUrl: llm.example.org }`,
    ':3:11: listen.publicUrl: found "llm.example.org"; expected a URL such as https://llm.example.org',
  ],
  [
    'a public URL with a password',
    `${one}listen: { publicUrl: "https://a:b@llm.example.org" }`,
    ':3:11: listen.publicUrl: found "https://***@llm.example.org"; a URL must not carry a user or password',
  ],
  [
    'a key file that is not there',
    `${one}    keyFile: nowhere`,
    ':3:5: engines[0].keyFile: cannot read "nowhere": there is no such file',
  ],
  [
    'an admin key, which nothing asks for',
    `${one}keys: { admin: sk-1 }`,
    ':3:9: keys.admin: no such key; allowed in keys: client, clientFile, scrape, scrapeFile',
  ],
  [
    'a scrape key that opens everything',
    `${one}keys: { client: [sk-1], scrape: sk-1 }`,
    ':3:25: keys.scrape: is a client key too, and would open everything; make a key for the pages alone',
  ],
  [
    'a scrape key from a file that opens everything',
    `${one}keys: { client: [sk-file], scrapeFile: key }`,
    ':3:28: keys.scrapeFile: is a client key too, and would open everything; make a key for the pages alone',
  ],
])('%s is told in a line that says what to do', async (_what, yaml, message) => {
  expect(await complaints(yaml)).toEqual([message]);
});

test('a variable that is missing hides no other fault, and brings none of its own', async () => {
  const yaml = `engines:
  - url: "http://${variable('NOWHERE')}:8000"
    knd: vllm
  - { url: "http://b:1", key: "${variable('NOWHERE')}" }
listen: { port: 70000 }`;
  expect(await complaints(yaml)).toEqual([
    ':2:5: engines[0].url: the environment variable NOWHERE is not set',
    ':4:26: engines[1].key: the environment variable NOWHERE is not set',
    ':3:5: engines[0].knd: no such key; did you mean "kind"? allowed in engines[0]: url, name, kind, key, keyFile, runtime, metrics',
    ':5:11: listen.port: found the number 70000; allowed: up to 65535',
  ]);
});

test('kinds, key files and variables are all told at once, and a key that is missing opens no door', async () => {
  const yaml = `engines: [{ url: "http://b:1", keyFile: gone, key: "${variable('NOWHERE')}" }]
keys: { clientFile: gone }
listen: { host: 0.0.0.0 }
kinds: { mine: { like: vlm } }`;
  const found = await complaints(yaml);
  expect(found.map((line) => line.replace(/^:\d+:\d+: ([\w.[\]]+): .*/, '$1'))).toEqual([
    'engines[0].key',
    'kinds.mine.like',
    'engines[0].keyFile',
    'keys.clientFile',
  ]);
});

test.each([
  'aliases:',
  'keys:',
  'keys:\n  # client: [sk-1]\n',
  'listen:\nscrape:\nlog:\nkinds:',
  'kinds: { mine: { families: , metrics: } }',
])('a section without content is none: %j', async (section) => {
  const config = await load(`${one}${section}`);
  expect(config.keys.client).toEqual([]);
  expect(config.listen.port).toBe(4100);
});

test.each([
  ['engines:', ':1:1: engines: found nothing; expected a list'],
  [`${one}    url:`, undefined],
  [`${one}keys: { client: }`, ':3:9: keys.client: found nothing; expected a list'],
  [`${one}listen: { port: }`, ':3:11: listen.port: found nothing; expected a number'],
])('a key without a value is not: %j', async (yaml, message) => {
  const found = await complaints(yaml);
  if (message !== undefined) expect(found).toEqual([message]);
});

test.each([
  ['http://127.0.0.1:8000', 'http://localhost:8000'],
  ['http://localhost:8000', 'http://[::1]:8000'],
  ['http://0.0.0.0:8000', 'http://127.0.0.1:8000'],
  ['http://[::ffff:127.0.0.1]:8000', 'http://localhost:8000/'],
  ['http://gpu', 'http://GPU:80'],
  ['http://gpu', 'http://gpu.'],
])('%s and %s are one engine', async (first, second) => {
  const found = await complaints(`engines: [{ url: "${first}", name: a }, { url: "${second}", name: b }]`);
  expect(found).toHaveLength(1);
  expect(found[0]).toMatch(/engines\[1\]\.url: .* its load would count twice; remove one$/);
});

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.2:8000'],
  ['http://127.0.0.1:8000', 'http://[::1]:8000'],
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8001'],
  ['http://gate.lab/a', 'http://gate.lab/b'],
  ['http://gpu', 'http://gpu.lab'],
])('%s and %s are two', async (first, second) => {
  const config = await load(`engines: [{ url: "${first}", name: a }, { url: "${second}", name: b }]`);
  expect(config.engines).toHaveLength(2);
});

test.each([
  ['127.0.0.1', 4100, 'http://127.0.0.1:4100'],
  ['127.0.0.1', 4100, 'http://localhost:4100/sub'],
  ['localhost', 4100, 'http://[::1]:4100'],
  ['0.0.0.0', 80, 'http://localhost'],
  ['::', 4100, 'http://127.0.0.1:4100'],
  ['gate.lab', 4100, 'http://gate.lab:4100'],
])('a gateway at %s:%i is no engine of itself at %s', async (host, port, url) => {
  const listen = `listen: { host: "${host}", port: ${port}, insecure: true }`;
  expect(await complaints(`engines: [{ url: "${url}" }]\n${listen}`)).toEqual([
    `:1:13: engines[0].url: ${url} is where Penstock itself listens ("listen.port"): its requests would go in circles; give the engine's own address, or listen on another port`,
  ]);
});

test('nor is what others reach it by', async () => {
  const yaml = 'engines: [{ url: "https://llm.lab" }]\nlisten: { publicUrl: "https://llm.lab/" }';
  expect((await complaints(yaml))[0]).toContain('is where Penstock itself listens ("listen.publicUrl")');
});

test.each([
  ['127.0.0.1', 4100, 'http://gpu:4100'],
  ['127.0.0.1', 0, 'http://127.0.0.1:4100'],
  ['127.0.0.1', 4100, 'http://127.0.0.2:4100'],
  ['127.0.0.1', 4100, 'http://127.0.0.1:4101'],
])('a gateway at %s:%i may have an engine at %s', async (host, port, url) => {
  const config = await load(`engines: [{ url: "${url}" }]\nlisten: { host: "${host}", port: ${port} }`);
  expect(config.engines).toHaveLength(1);
});

test.each([
  ['an alias', `${one}aliases: { a: b, __proto__: m }`, ':3:18: aliases.__proto__'],
  ['an alias in quotes', `${one}aliases: { "__proto__": m }`, ':3:12: aliases.__proto__'],
  ['a kind', `${one}kinds: { __proto__: { like: vllm } }`, ':3:10: kinds.__proto__'],
  ['a section', `__proto__: { a: 1 }\n${one}`, ':1:1: __proto__'],
  ['a key of an engine', `${one}    __proto__: { key: x }`, ':3:5: engines[0].__proto__'],
])('%s whose name nothing can hold is refused and not lost', async (_what, yaml, place) => {
  expect(await complaints(yaml)).toEqual([`${place}: this name cannot be used; choose another`]);
});

test.each(['constructor', 'toString', 'hasOwnProperty'])('an alias may be called %s', async (name) => {
  expect((await load(`${one}aliases: { ${name}: m }`)).aliases).toEqual({ [name]: 'm' });
});

test.each([`key: "${variable('sk-abc-7')}"`, `runtime: "${variable('sk-abc-7 ')}"`])(
  'a wrong name of a variable is not shown, for it may be a key: %s',
  async (line) => {
    const [found = ''] = await complaints(`${one}    ${line}`);
    expect(found).toContain('is no name of an environment variable');
    expect(found).not.toContain('sk-abc');
  },
);

test.each([
  ['scrape', 'timeout: 1000h'],
  ['scrape', 'interval: 24.01h'],
  ['stream', `headAfter: 99999999999999999999h`],
])('a time that is longer than any use of it is refused: %s: %s', async (section, line) => {
  expect((await complaints(`${one}${section}: { ${line} }`))[0]).toMatch(/found "[^"]+"; at most 24h$/);
  expect((await load(`${one}scrape: { timeout: 24h }`)).scrape.timeoutMs).toBe(86_400_000);
});

test.each([
  ['a: 1\n"a": 2', ':2:1: the key "a" is there twice; keep one'],
  ['engines:\n\t- b', ':2:1: not YAML: a tab stands before this line; YAML takes blanks only'],
  ['a: "x', ':1:6: not YAML: a quote is not closed'],
  ['a: [1, 2', ':1:9: not YAML: a bracket is not closed'],
  ['[a: 1, b', ':1:9: not YAML: a bracket is not closed'],
  ['a: b: c', ':1:4: not YAML: a second colon; a text with ": " in it needs quotes'],
  ['a: *x', ': not YAML: a text that starts with * needs quotes'],
  ['a: @x', ':1:4: not YAML: a text that starts with @, ` or % needs quotes'],
  [
    'a: "\\q"',
    ':1:5: not YAML: a backslash in double quotes needs another one; single quotes take it as it is',
  ],
  ['a:b\nc: 1', ':1:1: not YAML: a key needs a colon and a blank behind it'],
  ['a: - b', ':1:4: not YAML: a list begins on the line below its key'],
  ['a: {b: 1 c: 2}', undefined],
  [
    `listen: { port: ${variable('PORT')} }`,
    `:1:18: not YAML: inside { } and [ ] a text with ${variable('NAME')} in it needs quotes around it`,
  ],
  ['a: 1\n---\nb: 2', ':2:1: not YAML: a second document begins with ---; a config is one'],
  [
    'engines:\n  - url: http://x\n   name: y',
    ':3:1: not YAML: this line is not as far to the right as those it belongs to',
  ],
  [
    'a: "x" y',
    ':1:8: not YAML: this fits nothing before it; a text with quotes or brackets in it needs quotes around it',
  ],
  [
    'a: !env FOO',
    `:1:4: the tag !env means nothing here; ${variable('NAME')} in a text takes an environment variable`,
  ],
])('%j is told in words of a person', async (yaml, message) => {
  const [found] = await complaints(yaml);
  if (message !== undefined) expect(found).toBe(message);
  expect(found).not.toMatch(/implicit|compact|collection|token|scalar|mapping/i);
});

test.each([
  ['nowhere.yaml', 'ENOENT', 'cannot read nowhere.yaml: there is no such file'],
  ['folder', 'EISDIR', 'cannot read folder: it is a folder'],
  ['secret', 'EACCES', 'cannot read secret: this user may not read it'],
])('a config file that cannot be read says so in words: %s', async (path, code, message) => {
  const readFile = () => Promise.reject(Object.assign(new Error(`${code}: x, open 'x'`), { code }));
  await expect(loadConfig(path, { env: {}, readFile })).rejects.toThrow(message);
});

test.each([
  'kinds: &k\n  mine: *k\n',
  `${one}kinds: { mine: { families: { "vllm:num_requests_running": &s { sum: [*s] } } } }\n`,
])('an alias that stands inside of what it names is refused with its place: %j', async (yaml) => {
  expect(await complaints(yaml)).toEqual([expect.stringMatching(/^:\d+:\d+: an alias \(\*\) stands inside/)]);
});
