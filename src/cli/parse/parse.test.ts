import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { fakeIo } from '../../../test/kit/fake-io.ts';
import { fixture } from '../../../test/kit/fixture.ts';
import { ExitCode } from '../command.ts';
import { runCli } from '../run-cli.ts';
import { parse } from './parse.ts';

const SGLANG = fixture('engine-metrics', 'synthetic-sglang-0.5-tp2-dp2.prom');

const PAGE = `# TYPE my_requests gauge
my_requests{state="running"} 3
my_requests{state="queued"} 2
my_cache_percent 25
odd_value NaN
`;

const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'sglang.prom': SGLANG,
  'mine.prom': PAGE,
  'near.txt': 'acme_num_requests_running 1\nacme_num_requests_waiting 0\nacme_prompt_tokens_total 7\n',
  'broken.prom': 'a 1\nb{c="d"} x\n',
  'page.html': '<html>',
  'answer.json': '{"error":{"message":"no"}}',
  'empty.prom': '\n',
  'om.txt': '# TYPE a counter\na_total 1\n# EOF\n',
  'mine.yaml': `engines: [{ url: "http://h", kind: mine }]
kinds:
  mine:
    title: Mine
    families:
      "vllm:num_requests_running": { names: [my_requests], where: { state: running } }
      "vllm:num_requests_waiting": { names: [my_requests], where: { state: queued } }
      "vllm:kv_cache_usage_perc": { names: [my_cache_percent], unit: percent }
      "vllm:num_preemptions_total": { missing: Mine never preempts. }`,
};

async function call(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  return callWith({}, ...argv);
}

async function callWith(
  setup: { stdin?: string },
  ...argv: string[]
): Promise<{ code: number; out: string; err: string }> {
  const { io, written } = fakeIo({ files: FILES, ...setup });
  const code = await runCli(['parse', ...argv], { commands: [parse], version: '0', io });
  return { code, ...written };
}

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map(
      (server) =>
        new Promise((resolve) => {
          server.close(resolve);
          server.closeAllConnections();
        }),
    ),
  );
});

async function serving(
  answer: (response: ServerResponse, accept: string | undefined) => void,
): Promise<string> {
  const server = createServer((request, response) => answer(response, request.headers.accept));
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
}

test('a page of a known kind: families, the kind and why, figures over ranks, and what is missing', async () => {
  const { code, out } = await call('sglang.prom');
  expect(code).toBe(ExitCode.ok);
  expect(out).toContain(
    'sglang.prom\n  a valid page of Prometheus text (its name ends in .prom), 51,839 bytes\n',
  );
  expect(out).toContain('Families: 28, with 389 series\n');
  expect(out).toMatch(/^ {2}= histogram sglang:time_to_first_token_seconds +42$/m);
  expect(out).toMatch(/^ {2}\+ gauge {5}sglang:gen_throughput +4$/m);
  expect(out).toMatch(/SGLang \(sglang\) by a guess: its metrics page uses SGLang's names/);
  expect(out).toContain('  model: example-model\n  ranks: 0, 1\n');
  expect(out).toContain("Figures, under vLLM's names, 2 ranks combined\n");
  expect(out).toMatch(/^ {2}vllm:num_requests_running +13$/m);
  expect(out).toMatch(/^ {2}vllm:time_to_first_token_seconds +371 times, mean 0.37$/m);
  expect(out).toContain(
    '  SGLang has no histogram of the tokens of a step:\n    vllm:iteration_tokens_total\n',
  );
});

test('--json gives the figures by name, histograms as count and sum, and nothing missing', async () => {
  const { code, out } = await call('sglang.prom', '--json');
  expect(code).toBe(ExitCode.ok);
  const { kind, signals, missing, samples } = JSON.parse(out);
  expect([kind, missing]).toEqual(['sglang', []]);
  expect(signals).toMatchObject({
    'vllm:num_requests_running': 13,
    'vllm:kv_cache_usage_perc': 0.71,
    'vllm:time_to_first_token_seconds': { count: 371, sum: 137.112 },
  });
  expect(samples).toHaveLength(389);
});

test('--kind says whose page it is, and what speaks against that is told', async () => {
  const { out } = await call('sglang.prom', '--kind', 'vllm');
  expect(out).toMatch(/vLLM \(vllm\): as --kind says, though its metrics page uses SGLang's names/);
  expect(out).toMatch(/! without vllm:num_requests_running and vllm:num_requests_waiting Penstock/);
  expect(out).toContain('not on this page, where vLLM should have it; leave out');
  expect(JSON.parse((await call('sglang.prom', '--kind', 'vllm', '--json')).out)).toMatchObject({
    kind: 'vllm',
    signals: {},
    missing: ['vllm:num_requests_running', 'vllm:num_requests_waiting'],
  });
});

test('a kind of a config file reads its own page', async () => {
  const argv = ['mine.prom', '--config', 'mine.yaml', '--kind', 'mine'];
  expect(JSON.parse((await call(...argv, '--json')).out)).toMatchObject({
    kind: 'mine',
    signals: {
      'vllm:num_requests_running': 3,
      'vllm:num_requests_waiting': 2,
      'vllm:kv_cache_usage_perc': 0.25,
    },
    missing: [],
  });
  expect((await call(...argv)).out).toContain('  Mine never preempts:\n    vllm:num_preemptions_total\n');
});

test('a page of an unknown kind is told which kinds come nearest, and by which names', async () => {
  const { code, out } = await call('near.txt');
  expect(code).toBe(ExitCode.ok);
  expect(out).toContain('  unknown: nothing on the page is the mark of a known engine;');
  expect(out).toMatch(
    /nearest:\n {4}vLLM \(vllm\): 0 of its \d+ families\n {6}nearly: acme_num_requests_running like/,
  );
  expect(out).toContain('vllm:num_requests_running');
  expect(JSON.parse((await call('near.txt', '--json')).out).kind).toBe('generic');
});

test('a page with nothing of any kind says so', async () => {
  expect((await call('mine.prom')).out).toContain('  No kind has any of its names: say in a config file');
});

test('a broken page shows its place and exits with 1', async () => {
  const { code, out } = await call('broken.prom');
  expect(code).toBe(ExitCode.failed);
  expect(out).toContain('  line 2, column 10: expected a number as the value of "b", found "x"');
  expect(out).toContain(`  2 | b{c="d"} x\n${' '.repeat(15)}^\n`);
  const json = await call('broken.prom', '--json');
  expect([json.code, JSON.parse(json.out)]).toMatchObject([
    ExitCode.failed,
    { verdict: 'invalid', error: { line: 2, column: 10 }, samples: [], kind: null },
  ]);
});

test.each([
  ['page.html', ExitCode.failed, 'This is an HTML page: a web page or a proxy answered'],
  ['answer.json', ExitCode.failed, 'This is a JSON document: either an error message, or'],
  ['empty.prom', ExitCode.ok, 'This is an empty body: a page of no samples.'],
])('%s is named for what it is', async (file, code, words) => {
  const call_ = await call(file);
  expect(call_.code).toBe(code);
  expect(call_.out.replace(/\s+/g, ' ')).toContain(words);
});

test('without a header the last line tells OpenMetrics, and --content-type overrules it', async () => {
  expect((await call('om.txt')).out).toContain('OpenMetrics 1.0.0 (its last line is # EOF)');
  const { out } = await call('om.txt', '--content-type', 'text/plain; version=0.0.4');
  expect(out).toContain('Prometheus text 0.0.4 (as --content-type says)');
});

test('standard input is read with -', async () => {
  const { code, out } = await callWith({ stdin: PAGE }, '-', '--json');
  expect(code).toBe(ExitCode.ok);
  expect(JSON.parse(out).samples.at(-1)).toEqual({
    name: 'odd_value',
    labels: {},
    value: 'NaN',
    timestampMs: null,
  });
});

test('a URL is asked as a scrape asks, and its Content-Type counts', async () => {
  let asked: string | undefined;
  const url = await serving((response, accept) => {
    asked = accept;
    response.setHeader('content-type', 'application/openmetrics-text; version=1.0.0');
    response.end('# TYPE a gauge\na 1\n# EOF\n');
  });
  const { code, out } = await call(url);
  expect([code, asked]).toEqual([ExitCode.ok, 'text/plain; version=0.0.4']);
  expect(out).toContain(`${url}\n`);
  expect(out.replace(/\s+/g, ' ')).toContain(
    'OpenMetrics 1.0.0 (its Content-Type is application/openmetrics-text; version=1.0.0)',
  );
});

test.each<[string, (response: ServerResponse) => void, RegExp]>([
  ['501', (response) => response.writeHead(501).end('{}'), /^penstock: GET http:\S+ answered 501\n$/],
  ['401', (response) => response.writeHead(401).end(), /answered 401: the page wants a key/],
  [
    'a redirect',
    (response) => response.writeHead(302, { location: 'http://elsewhere/' }).end(),
    /answered 302: it points to http:\/\/elsewhere\/, which is not followed/,
  ],
  [
    'a body cut off by the connection',
    (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('a 1\n', () => response.destroy());
    },
    /^penstock: .+\n$/,
  ],
  [
    'a body above the limit of a scrape',
    (response) => response.writeHead(200, { 'content-length': String(64 * 1024 ** 2) }).end(),
    /larger than 16777216 bytes/,
  ],
])('a URL that answers with %s brings no page', async (_what, answer, message) => {
  const url = await serving(answer);
  const { code, out, err } = await call(url, '--json');
  expect([code, out]).toEqual([ExitCode.failed, '']);
  expect(err).toMatch(message);
});

test.each([
  [[], 'FILE|URL|- is missing: penstock parse FILE|URL|-'],
  [['nowhere.prom'], 'cannot read nowhere.prom: no such file nowhere.prom'],
  [['mine.prom', '--kind', 'sglan'], '--kind: found "sglan"; did you mean "sglang"? allowed: vllm, sglang,'],
  [['http://me:secret@h/metrics'], 'expected the URL of a page, without user and password'],
  [['mine.prom', '--config', 'nowhere.yaml'], 'cannot read nowhere.yaml'],
])('%j is wrong use', async (argv, message) => {
  const { code, out, err } = await call(...argv);
  expect([code, out]).toEqual([ExitCode.usage, '']);
  expect(err).toContain(message);
  expect(err).not.toContain('secret');
});
