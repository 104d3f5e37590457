import { expect, test } from 'vitest';

import { fakeIo } from '../../test/kit/fake-io.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../kit/usage-error.ts';
import { check } from './check.ts';
import { type Command, ExitCode } from './command.ts';
import { runCli } from './run-cli.ts';
import { serveCommand } from './serve.ts';
import { simCommand } from './sim.ts';

const FILES = {
  'right.yaml': 'engines: [{ url: "http://gpu:8000", key: sk-hidden }]\nkeys: { client: [sk-mine] }',
  'wrong.yaml': 'engines: [{ url: "http://gpu:8000", kid: vllm }]',
  'secret.yaml': 'engines: [{ url: "http://gpu:8000", key: "$' + '{NOWHERE}" }]',
};

interface Call {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly started: readonly Config[];
  readonly stopped: number;
}

async function penstock(
  argv: readonly string[],
  files: Readonly<Record<string, string>> = FILES,
): Promise<Call> {
  const { io, written } = fakeIo({ files });
  const started: Config[] = [];
  let stopped = 0;
  const commands: Command[] = [
    serveCommand({
      version: '1.2.3',
      startApp: (config) => {
        started.push(config);
        const stop = (): Promise<void> => {
          stopped += 1;
          return Promise.resolve();
        };
        return Promise.resolve({ url: 'http://127.0.0.1:4100', stop });
      },
    }),
    simCommand({
      simKinds: new Map([['vllm', 8000]]),
      startSim: ({ port }) =>
        Promise.resolve({ url: `http://127.0.0.1:${port}`, stop: () => Promise.resolve() }),
    }),
    check,
    {
      name: 'break',
      summary: 'Break',
      usage: '',
      options: [],
      run: () => Promise.reject(new Error('it broke', { cause: new Error('a wire') })),
    },
    {
      name: 'misuse',
      summary: 'Misuse',
      usage: '',
      options: [],
      run: () => Promise.reject(new UsageError('not so')),
    },
  ];
  const code = await runCli(argv, { commands, version: '1.2.3', io });
  return { code, ...written, started, stopped };
}

test.each([[[]], [['--help']], [['-h']], [['help']]])('%j shows every command', async (argv) => {
  const { code, out, err } = await penstock(argv);
  expect([code, err]).toEqual([ExitCode.ok, '']);
  for (const name of ['serve', 'sim', 'check']) expect(out).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
});

test.each([[['serve', '--help']], [['serve', '-h']], [['help', 'serve']], [['serve', '--engine', '--help']]])(
  '%j shows the help of serve and starts nothing',
  async (argv) => {
    const { code, out, started } = await penstock(argv);
    expect([code, started]).toEqual([ExitCode.ok, []]);
    expect(out).toContain('Usage: penstock serve [--config FILE]');
    for (const flag of ['--config FILE', '--engine URL ...', '--listen HOST:PORT', '--help', '--version']) {
      expect(out).toContain(`  ${flag} `);
    }
  },
);

test.each([[['--version']], [['-v']], [['serve', '--version']], [['check', '--version']]])(
  '%j shows the version',
  async (argv) => {
    expect(await penstock(argv)).toMatchObject({ code: ExitCode.ok, out: 'penstock 1.2.3\n' });
  },
);

test.each([
  [['serv'], 'no command "serv"; did you mean "penstock serve"?'],
  [['banana'], 'no command "banana"; there are: serve, sim, check, break, misuse'],
  [['serve', '--engin', 'x'], 'penstock serve has no option --engin; did you mean --engine?'],
  [
    ['serve', '--engine', 'gpu:8000'],
    '--engine: found "gpu:8000"; expected a URL such as http://127.0.0.1:8000',
  ],
  [
    ['serve', '--engine', 'http://gpu', '--policy', 'randon'],
    '--policy: found "randon"; did you mean "random"? allowed: least-requests, two-choices, session-hash, round-robin, random',
  ],
  [['check', '--json', 'right.yaml'], 'penstock check has no option --json; it takes FILE only'],
  [
    ['serve', '--engine', 'http://gpu', '--engine', 'http://gpu:80'],
    '--engine: http://gpu is the engine of engines[0] too: its load would count twice; remove one',
  ],
  [
    ['serve', '--engine', 'http://localhost:4100'],
    '--engine: http://localhost:4100 is where Penstock itself listens ("listen.port"): its requests would go in circles; give the engine\'s own address, or listen on another port',
  ],
  [['check'], 'FILE is missing: penstock check FILE'],
  [['check', 'nowhere.yaml'], 'cannot read nowhere.yaml: no such file nowhere.yaml'],
  [['check', 'secret.yaml'], 'secret.yaml:1:37: engines[0].key: the environment variable NOWHERE is not set'],
  [
    ['serve', '--config', 'wrong.yaml'],
    'wrong.yaml:1:37: engines[0].kid: no such key; did you mean "kind"? allowed in engines[0]: url, name, kind, key, keyFile, runtime, metrics',
  ],
  [
    ['serve'],
    'no engine is named: give --engine URL, or --config FILE, or write ./penstock.yaml; penstock demo needs none of them',
  ],
  [['sim'], '--kind is missing; allowed: vllm'],
  [['sim', '--kind', 'ollama'], '--kind: ollama cannot be simulated; allowed: vllm'],
  [['sim', '--kind', 'vllm', '--speed', '0'], '--speed: found "0"; expected a number above 0'],
  [['misuse'], 'not so'],
])('%j gives one line and exit code 2', async (argv, line) => {
  expect(await penstock(argv)).toMatchObject({
    code: ExitCode.usage,
    out: '',
    err: `penstock: ${line}\n`,
    started: [],
  });
});

test('what fails though it was asked rightly gives its reason with causes and exit code 1', async () => {
  expect(await penstock(['break'])).toMatchObject({
    code: ExitCode.failed,
    err: 'penstock: it broke: a wire\n',
  });
});

test('check sums a config up and shows no key', async () => {
  const { code, out } = await penstock(['check', 'right.yaml']);
  expect(code).toBe(ExitCode.ok);
  expect(out).toContain('gpu-8000  http://gpu:8000  kind told at first contact, with a key');
  expect(out).toContain('1 client key');
  expect(out).not.toMatch(/sk-/);
});

test('check says what the file changes of kinds', async () => {
  const kinds = `engines: [{ url: "http://gpu", kind: mine }]
kinds:
  mine: { metrics: { path: "/s?x=1" }, modelLabels: [id], families: { "vllm:num_requests_running": { names: [r], scale: 2 } } }
  twin: { like: vllm }
  llama-cpp: { families: { "vllm:num_requests_waiting": { names: [w] } } }`;
  const { code, out } = await penstock(['check', 'kinds.yaml'], { 'kinds.yaml': kinds });
  expect(code).toBe(ExitCode.ok);
  expect(out).toContain('  kinds    mine, twin, llama-cpp: as this file has them\n');
  expect(out.slice(out.indexOf('\nkind mine'))).toBe(`
kind mine is new, and has only the families named here:
  metrics page: /s?x=1
  model labels: id
  vllm:num_requests_running
    r (times 2)

kind twin is new, made from vllm:
  as its base has everything

kind llama-cpp, built in, is changed:
  vllm:num_requests_waiting
    w
    instead of: llamacpp:requests_deferred
`);
});

test('check warns of a kind that no engine uses, and of the built-in one it may mean', async () => {
  const kinds = `engines: [{ url: "http://gpu", kind: mine }]
kinds: { mine: { like: vllm }, sglan: { title: Ours }, spare-parts: { like: vllm }, vllm: { title: Ours } }`;
  const { code, out } = await penstock(['check', 'kinds.yaml'], { 'kinds.yaml': kinds });
  expect(code).toBe(ExitCode.ok);
  expect(out.replace(/\n {11}/g, ' ').match(/^ {2}warning .*/gm)).toEqual([
    '  warning  no engine uses kind sglan; did you mean sglang?',
    '  warning  no engine uses kind spare-parts; an engine does with `kind: spare-parts`',
  ]);
});

test('a long fleet is summed up in a dozen lines', async () => {
  const engines = Array.from({ length: 100 }, (_, at) => `{ url: "http://gpu-${at}" }`).join(', ');
  const { out } = await penstock(['check', 'fleet.yaml'], { 'fleet.yaml': `engines: [${engines}]` });
  expect(out).toContain('and 88 more');
});

test('serve runs what the file and the options say, until it is interrupted', async () => {
  const { code, out, started, stopped } = await penstock([
    'serve',
    '--config',
    'right.yaml',
    '--engine',
    'http://gpu-2:8000/',
    '--listen',
    '0.0.0.0:0',
    '--policy',
    'random',
  ]);
  expect([code, stopped]).toEqual([ExitCode.ok, 1]);
  expect(started[0]).toMatchObject({
    engines: [{ url: 'http://gpu:8000', key: 'sk-hidden' }, { url: 'http://gpu-2:8000' }],
    listen: { host: '0.0.0.0', port: 0 },
    routing: { policy: 'random' },
    keys: { client: ['sk-mine'] },
  });
  expect(out).toContain('Penstock 1.2.3 is at http://127.0.0.1:4100');
  expect(out).toContain('curl -H "Authorization: Bearer $KEY" http://127.0.0.1:4100/v1/models');
  expect(out).not.toContain('sk-');
});

test('--listen with a port alone keeps the host of the file', async () => {
  const { started } = await penstock(['serve', '--config', 'c.yaml', '--listen', '0'], {
    'c.yaml': 'engines: [{ url: "http://gpu" }]\nlisten: { host: "::1", port: 1 }',
  });
  expect(started[0]?.listen).toMatchObject({ host: '::1', port: 0 });
});

test('./penstock.yaml is read only when no engine is given', async () => {
  const files = { 'penstock.yaml': FILES['right.yaml'] };
  expect((await penstock(['serve'], files)).started[0]?.engines).toHaveLength(1);
  const { started } = await penstock(['serve', '--engine', 'http://other'], files);
  expect(started[0]?.engines.map(({ url }) => url)).toEqual(['http://other']);
});

test('beyond this machine serve wants keys or --insecure', async () => {
  const open = ['serve', '--engine', 'http://gpu', '--listen', '0.0.0.0:4100'];
  const refused = await penstock(open);
  expect([refused.code, refused.started]).toEqual([ExitCode.usage, []]);
  expect(refused.err).toContain('add a client key, or set "listen.insecure: true" (serve: --insecure)');
  const allowed = await penstock([...open, '--insecure']);
  expect(allowed.started[0]?.listen).toMatchObject({ host: '0.0.0.0', insecure: true });
  expect(allowed.out).toContain('NONE: whoever reaches this address may use it');
});

test('sim listens where the kind does, and says how to route to it', async () => {
  expect((await penstock(['sim', '--kind', 'vllm'])).out).toContain(
    'penstock serve --engine http://127.0.0.1:8000',
  );
  expect((await penstock(['sim', '--kind', 'vllm', '--port', '0'])).out).toContain('http://127.0.0.1:0');
});
