import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { fakeIo } from '../../../test/kit/fake-io.ts';
import { type Answered, useAnswers } from '../../../test/kit/use-answers.ts';
import { startApp } from '../../app.ts';
import { resolveConfig } from '../../config/resolve.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { seededRandom } from '../../kit/random.ts';
import { ExitCode } from '../command.ts';
import { colours } from '../paint.ts';
import { runCli } from '../run-cli.ts';
import { doctor } from './doctor.ts';

const server = useAnswers();

const vllm: Readonly<Record<string, Answered | string>> = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"llama","owned_by":"vllm"}]}',
  '/metrics': 'vllm:num_requests_running 1\nvllm:num_requests_waiting 0\n',
};

async function callDoctor(argv: readonly string[], setup: Parameters<typeof fakeIo>[0] = {}) {
  const { io, written } = fakeIo(setup);
  const code = await runCli(['doctor', ...argv], { commands: [doctor], version: '0', io });
  const out = written.out;
  return { code, out, err: written.err, flat: out.replace(/\n {12}/g, ' ') };
}

test.each([401, 403])('an engine that answers %i everywhere fails and wants its key', async (status) => {
  const url = await server({}, { status });
  const { code, flat } = await callDoctor(['--engine', url]);
  expect(code).toBe(ExitCode.failed);
  expect(flat).toContain(`models    none: GET /v1/models answered ${status}: set or correct \`key\``);
  expect(flat.match(/do +.*/)?.[0]).toContain('set its `key` in a config file');
  expect(flat.match(/`key` in/g)).toHaveLength(1);
  expect(flat.match(/^ {2}do /gm)).toHaveLength(1);
  expect(flat).not.toContain('`kind`');
});

test('a key that is there and refused is to be corrected, in the file it stands in', async () => {
  const url = await server({ ...vllm, '/v1/models': { status: 401 } });
  const files = { 'lab.yaml': `engines: [{ url: "${url}", key: wrong }]` };
  const { code, flat } = await callDoctor(['--config', 'lab.yaml'], { files });
  expect(code).toBe(ExitCode.failed);
  expect(flat).toContain('do        correct its `key` in lab.yaml');
  expect(flat).not.toContain('all fine');
});

test('an engine that lists no model fails', async () => {
  const { code, flat } = await callDoctor([
    '--engine',
    await server({ ...vllm, '/v1/models': '{"data":[]}' }),
  ]);
  expect(code).toBe(ExitCode.failed);
  expect(flat).toContain('models    none: the list at /v1/models is empty\n');
  expect(flat).toContain('do        load a model: ');
});

test('a metrics page that wants a key has a row of its own, beside a health that is well', async () => {
  const { code, flat } = await callDoctor([
    '--engine',
    await server({ ...vllm, '/metrics': { status: 401 } }),
  ]);
  expect(code).toBe(ExitCode.failed);
  expect(flat).toMatch(/health +up\n/);
  expect(flat).toMatch(/metrics +GET http:\S+\/metrics answered 401/);
  expect(flat).toContain('set its `key` in');
});

test.each<[what: string, answers: Readonly<Record<string, Answered>>, elsewhere: Answered]>([
  ['a file server', { '/': { body: '<html>listing</html>' } }, { status: 404, body: '<html>' }],
  ['a login page', {}, { body: '<!DOCTYPE html><html>' }],
  ['a redirect', {}, { status: 302, headers: { location: 'https://login.example' } }],
])('%s does not look like an engine', async (_, answers, elsewhere) => {
  const { code, flat } = await callDoctor(['--engine', await server(answers, elsewhere)]);
  expect(code).toBe(ExitCode.failed);
  expect(flat).toContain(
    'do        this does not look like an LLM engine: check the address (GET /v1/models',
  );
  // Neither a kind to be set nor a flag to be given would help.
  expect(flat.match(/^ {2}do /gm)).toHaveLength(1);
  expect(flat).not.toContain('`kind`');
});

test('a wrong path below the right address is named with what it answered', async () => {
  const { flat } = await callDoctor(['--engine', `${await server(vllm)}/lama`]);
  expect(flat).toContain('check the path /lama of its address (GET /v1/models answered 404)');
});

test('a Penstock that is given as an engine is recognised, with keys and without', async () => {
  for (const keys of [{}, { client: ['sk-one'] }]) {
    const config = await resolveConfig(
      { engines: [{ url: await server(vllm) }], listen: { port: 0 }, keys },
      { name: 'test' },
      { env: {}, readFile: () => Promise.reject(new Error('none')) },
    );
    const random = seededRandom(1);
    const app = await startApp(config, { clock: systemClock, random, log: silentLog, version: '0' });
    const { code, flat } = await callDoctor(['--engine', app.url]);
    await app.stop();
    expect(code).toBe(ExitCode.failed);
    expect(flat).toMatch(/kind +Penstock \(known: its answers carry the header "x-penstock-error"/);
    expect(flat).toContain('do        name the engines behind it instead');
  }
});

test('what is at the port that serve would take is looked at, as doctor itself listens nowhere', async () => {
  const { code, err, out } = await callDoctor(['--engine', 'http://127.0.0.1:4100']);
  expect([code === ExitCode.usage, err]).toEqual([false, '']);
  expect(out).toContain('127.0.0.1-4100');
});

test('an engine that loads is to be waited for', async () => {
  const { code, flat } = await callDoctor(['--engine', await server({}, { status: 503 })]);
  expect(code).toBe(ExitCode.failed);
  expect(flat).toMatch(/health +loading: /);
  expect(flat).toContain('do        wait until it has loaded its model');
});

test.each([502, 504])('%i is the answer of a proxy', async (status) => {
  const { flat } = await callDoctor(['--engine', await server({}, { status })]);
  expect(flat).toContain(`health    failing: GET /health answered ${status}`);
  expect(flat).toContain('do        a proxy answered, and what is behind it did not');
});

test('an engine that fails its own health look is sent to its log', async () => {
  const { flat } = await callDoctor(['--engine', await server({}, { status: 500 })]);
  expect(flat).toContain("the engine's own log says why");
});

test('a name that nobody knows is named', async () => {
  const { flat } = await callDoctor(['--engine', 'http://gpu-9.invalid:8000']);
  expect(flat).toContain('the name gpu-9.invalid');
  expect(flat).toContain('do        check the name in http://gpu-9.invalid:8000');
});

const sockets: Server[] = [];
afterEach(() => {
  for (const one of sockets.splice(0)) one.close();
});

async function saying(bytes: string | Uint8Array): Promise<number> {
  const tcp = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(bytes));
  });
  sockets.push(tcp);
  await new Promise<void>((resolve) => {
    tcp.listen(0, '127.0.0.1', resolve);
  });
  return (tcp.address() as { port: number }).port;
}

test('https:// to a server without TLS says to use http://', async () => {
  const plain = await server(vllm);
  const { flat } = await callDoctor(['--engine', plain.replace('http:', 'https:')]);
  expect(flat).toContain('it does not speak TLS');
  expect(flat).toContain(`do        use ${plain}: it does not speak TLS`);
});

test.each<[what: string, bytes: string | Uint8Array]>([
  ['an alert of TLS', Uint8Array.of(21, 3, 3, 0, 2, 2, 70)],
  ['nothing', ''],
])('http:// to a server that may speak TLS says to try https:// (%s)', async (_, bytes) => {
  const port = await saying(bytes);
  const { flat } = await callDoctor(['--engine', `http://127.0.0.1:${port}`]);
  expect(flat).toContain(`do        if it speaks TLS, use https://127.0.0.1:${port}`);
});

test('advice on the kind names the file, or that one is needed', async () => {
  const unknown = { '/v1/models': '{"data":[{"id":"m","owned_by":"somebody"}]}', '/health': '' };
  const url = await server(unknown);
  const bare = await callDoctor(['--engine', url]);
  expect(bare.flat).toContain('say its `kind` in a config file and name that with --config');
  const files = { 'penstock.yaml': `engines: [{ url: "${url}" }]` };
  expect((await callDoctor([], { files })).flat).toContain('say its `kind` in penstock.yaml: ');
});

test('a kind that was configured is said so once', async () => {
  const files = { 'c.yaml': `engines: [{ url: "${await server(vllm)}", kind: vllm }]` };
  const { flat } = await callDoctor(['--config', 'c.yaml'], { files });
  expect(flat).toContain('kind      vLLM (configured)\n');
});

test('a partial page is explained, and what a newer version brings has that version', async () => {
  const page =
    'llamacpp:requests_processing 1\nllamacpp:requests_deferred 0\nllamacpp:tokens_predicted_total 1\n';
  const url = await server({
    '/health': { headers: { server: 'llama.cpp' }, body: '{"status":"ok"}' },
    '/v1/models': '{"data":[{"id":"m","owned_by":"llamacpp"}]}',
    '/metrics': `${page}llamacpp:prompt_tokens_total 1\n`,
  });
  const { code, flat } = await callDoctor(['--engine', url]);
  expect(code).toBe(ExitCode.ok);
  expect(flat).toContain('contract  partial: ');
  expect(flat).toContain('missing   vllm:prefix_cache_queries_total (since about b10000 (2026))');
  expect(flat).toContain('a newer llama.cpp brings');
});

test('an alias that leads to no model is told, with the models there are', async () => {
  const url = await server(vllm);
  const aliases = 'aliases: { right: llama, wrong: lama }';
  const files = { 'c.yaml': `engines: [{ url: "${url}" }]\n${aliases}` };
  const { code, flat } = await callDoctor(['--config', 'c.yaml'], { files });
  expect(code).toBe(ExitCode.failed);
  expect(flat).toContain('FAIL alias wrong\n  model     no engine that was looked at lists "lama"\n');
  expect(flat).toContain('do        name a model that is there under `aliases`: llama\n');
  expect(flat).not.toContain('alias right');
  expect(flat).toContain('1 engine, all fine; 1 alias without a model\n');
  const json = await callDoctor(['--json', '--config', 'c.yaml'], { files });
  expect(JSON.parse(json.out)).toMatchObject({ fine: false, aliases: [{ alias: 'wrong', model: 'lama' }] });
});

test('what doctor says fits a terminal, and colours leave the text as it is', async () => {
  const url = await server({ ...vllm, '/metrics': { status: 404 } });
  const { out } = await callDoctor(['--engine', url]);
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  const painted = await callDoctor(['--engine', url], { paint: colours });
  expect(painted.out).toContain('\u001b[31mFAIL');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  expect(painted.out.replace(/\u001b\[\d+m/g, '')).toBe(out);
});

test('of a kind of its own that does not tell its load, the way to describe it is named', async () => {
  const url = await server({ ...vllm, '/metrics': 'my_running 1\n' });
  const families = '"vllm:num_requests_running": { names: [my_run] }';
  const engines = `engines: [{ url: "${url}", kind: mine }]`;
  const files = { 'c.yaml': `${engines}\nkinds: { mine: { families: { ${families} } } }` };
  const { flat } = await callDoctor(['--config', 'c.yaml'], { files });
  expect(flat).toContain(
    `parse ${url}/metrics shows what its page has: say in section \`kinds\` of c.yaml where`,
  );
  // What the file does not name is nothing to miss.
  expect(flat.match(/^ {2}missing .*(\n {12}.*)*/m)?.[0]).toBe('  missing   vllm:num_requests_running');
  const why = '{ missing: It never says. }';
  const told = `"vllm:num_requests_running": ${why}, "vllm:num_requests_waiting": ${why}`;
  const silent = { 'c.yaml': `${engines}\nkinds: { mine: { families: { ${told} } } }` };
  expect((await callDoctor(['--config', 'c.yaml'], { files: silent })).flat).not.toContain('`kinds`');
});

test('an unknown engine with a page of other names is to be described', async () => {
  const models = '{"data":[{"id":"m","owned_by":"somebody"}]}';
  const url = await server({ '/v1/models': models, '/health': '', '/metrics': 'my_running 1\n' });
  const { flat } = await callDoctor(['--engine', url]);
  expect(flat).toContain('say in section `kinds` of a config file where vllm:num_requests_running and');
});

test('a page that came needs no flag that brings the page', async () => {
  const llama = { headers: { server: 'llama.cpp' }, body: '{"status":"ok"}' };
  const models = '{"data":[{"id":"m","owned_by":"llamacpp"}]}';
  const url = await server({ '/health': llama, '/v1/models': models, '/metrics': 'llamacpp:other 1\n' });
  const { flat } = await callDoctor(['--engine', url]);
  expect(flat).toMatch(/contract +blind/);
  expect(flat).not.toContain('--metrics');
});

test('a vLLM without its figures is to leave the flag out that takes them away', async () => {
  const { flat } = await callDoctor(['--engine', await server({ ...vllm, '/metrics': 'python_info 1\n' })]);
  expect(flat).toContain('do        leave out --disable-log-stats: metrics at /metrics');
});
