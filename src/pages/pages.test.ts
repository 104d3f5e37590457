import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { byPath } from '../../test/kit/fake-http.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { fixtureEngines } from '../../test/kit/fixture-engines.ts';
import { type PageServer, pageServer } from '../../test/kit/page-server.ts';
import { genericProfile } from '../engines/index.ts';
import { readSignals } from '../engines/signals.ts';
import type { ExpositionFormat } from '../exposition/exposition.ts';
import { parseExposition } from '../exposition/parse.ts';
import { HttpFailure } from '../kit/http.ts';
import type { PageSettings } from './deps.ts';
import type { MetricsRecord } from './record.ts';

const servers: PageServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function serving(engines = fixtureEngines, settings: Partial<PageSettings> = {}): Promise<PageServer> {
  const server = await pageServer(engines, settings);
  servers.push(server);
  return server;
}

interface Got {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** Plain node:http: fetch adds an Accept header of its own. */
function get(
  { url }: PageServer,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() });
      });
    });
    sent.on('error', reject).end();
  });
}

const plain = { accept: 'text/plain' };
const TEXT = 'text/plain; version=0.0.4; charset=utf-8';
const OPEN = 'application/openmetrics-text; version=1.0.0; charset=utf-8';
const gone = () => new HttpFailure('refused', 'connect ECONNREFUSED');

interface Negotiation {
  readonly cases: readonly {
    readonly client: string;
    readonly accept: string;
    readonly expectFormat: ExpositionFormat;
  }[];
}
const negotiation: Negotiation = JSON.parse(
  new TextDecoder().decode(fixture('exposition', 'negotiation.json')),
) as Negotiation;
/** What says nothing of a text format gets the record. */
const JSON_CLIENTS: ReadonlySet<string> = new Set(['*/*', '', 'application/json']);

const MEDIA: Readonly<Record<ExpositionFormat, RegExp>> = {
  'text-0.0.4': /^text\/plain; version=0\.0\.4;/,
  'text-1.0.0': /^text\/plain; version=1\.0\.0;/,
  'openmetrics-1.0.0': /^application\/openmetrics-text; version=1\.0\.0;/,
};

test('every Accept header of the table gets its format, and what comes is of that format in strict mode', async () => {
  const server = await serving({ box: fixtureEngines['llama'] ?? byPath({}) });
  server.metrics.choice('least-requests', 'lowest-load');
  expect(negotiation.cases.length).toBeGreaterThan(10);
  for (const { client, accept, expectFormat } of negotiation.cases) {
    for (const path of ['/metrics', '/metrics/prometheus', '/engines/box/metrics']) {
      const { headers, bytes } = await get(server, path, { accept });
      if (path === '/metrics' && JSON_CLIENTS.has(accept)) {
        expect([client, headers['content-type']]).toEqual([client, 'application/json']);
        continue;
      }
      expect([client, path, headers['content-type']]).toEqual([
        client,
        path,
        expect.stringMatching(MEDIA[expectFormat]),
      ]);
      expect(parseExposition(bytes, expectFormat, { strict: true }).samples.length).toBeGreaterThan(3);
    }
  }
});

test('a page says the same in OpenMetrics as in text', async () => {
  const server = await serving();
  for (const path of ['/metrics', '/metrics/prometheus?include=own', '/engines/vllm/metrics']) {
    const join = path.includes('?') ? '&' : '?';
    const [text, open] = [
      await get(server, `${path}${join}format=prometheus`),
      await get(server, `${path}${join}format=openmetrics`),
    ];
    const samples = (bytes: Uint8Array, format: ExpositionFormat): readonly string[] =>
      parseExposition(bytes, format, { strict: true })
        .samples.map((sample) => JSON.stringify(sample))
        .sort();
    expect(samples(open.bytes, 'openmetrics-1.0.0')).toEqual(samples(text.bytes, 'text-0.0.4'));
  }
});

test.each([
  ['no Accept header', '/metrics', {}, 'application/json'],
  ['a browser', '/metrics', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 'application/json'],
  ['?format=prometheus', '/metrics?format=prometheus', {}, TEXT],
  ['?format=openmetrics', '/metrics?format=openmetrics', {}, OPEN],
  ['?format=openmetrics of an engine', '/metrics/prometheus?format=openmetrics', plain, OPEN],
  ['text refused by weight', '/metrics', { accept: 'text/plain;q=0' }, 'application/json'],
])('%s', async (_, path, headers, contentType) => {
  expect((await get(await serving({}), path, headers)).headers['content-type']).toBe(contentType);
});

test('the fleet page has every engine with metrics in one vocabulary, each family declared once', async () => {
  const server = await serving();
  const { status, text } = await get(server, '/metrics', plain);
  expect(status).toBe(200);
  const { samples } = parseExposition(new TextEncoder().encode(text), 'text-0.0.4');
  const running = samples.filter(({ name }) => name === 'vllm:num_requests_running');
  expect(new Set(running.map(({ labels }) => labels['kind']))).toEqual(
    new Set(['vllm', 'sglang', 'trtllm', 'llama-cpp', 'strata']),
  );
  const keys = samples.map(({ name, labels }) => JSON.stringify([name, ...Object.entries(labels).sort()]));
  expect(new Set(keys).size).toBe(keys.length);
  const declared = text.match(/^# TYPE \S+/gm) ?? [];
  expect(new Set(declared).size).toBe(declared.length);
  expect(text).toContain('penstock:gateway_in_flight 0\n');
});

test('?include=own leaves the fleet out, and keeps what we know of each engine', async () => {
  const { text } = await get(await serving(), '/metrics/prometheus?include=own');
  expect(text).not.toMatch(/^vllm:/m);
  expect(text.match(/^penstock:engine_up\{.*\} 1$/gm)?.length).toBe(6);
});

test('a fleet above the cap is left out with a line that says so', async () => {
  const { text } = await get(await serving(fixtureEngines, { fleetPageSeries: 100 }), '/metrics', plain);
  expect(text).toMatch(/^# the engines are left out: they have more than 100 series/m);
  expect(text).not.toMatch(/^vllm:/m);
  expect(text).toContain('penstock:gateway_in_flight 0\n');
});

test("one engine's page says the same as its signals", async () => {
  const server = await serving();
  for (const name of ['vllm', 'sglang', 'trtllm', 'llama', 'strata']) {
    const { status, bytes } = await get(server, `/engines/${name}/metrics`);
    expect([name, status]).toEqual([name, 200]);
    const back = readSignals(genericProfile, parseExposition(bytes, 'text-0.0.4').samples);
    const said = server.fleet.get(name)?.view().signals;
    expect({ ...back, progress: 0 }).toEqual({ ...said, progress: 0 });
  }
});

test('?raw=1 is what the engine sent, byte for byte', async () => {
  const answer = await get(await serving(), '/engines/trtllm/metrics?raw=1');
  expect(answer.headers['content-type']).toBe(TEXT);
  expect(answer.bytes.equals(fixture('engine-metrics', 'synthetic-trtllm-1.3-iter-stats.prom'))).toBe(true);
});

test.each([
  ['text/html', TEXT],
  ['', TEXT],
  ['application/openmetrics-text; version=1.0.0; charset=utf-8', OPEN],
])('a raw page that calls itself "%s" is never one for a browser', async (sent, contentType) => {
  const body = 'vllm:x{a="<script>alert(1)</script>"} 1\n# EOF\n';
  const page = { '/health': '', '/metrics': { headers: { 'content-type': sent }, body } };
  const { headers, text } = await get(await serving({ c: byPath(page) }), '/engines/c/metrics?raw=1');
  expect([text, headers['content-type']]).toEqual([body, contentType]);
  expect(headers['x-content-type-options']).toBe('nosniff');
});

test.each([
  '/metrics',
  '/metrics?format=openmetrics',
  '/metrics/prometheus',
  '/engines/vllm/metrics',
  '/engines/nobody/metrics',
  '/sd/prometheus',
  '/nothing',
])('no browser may guess what %s is', async (path) => {
  for (const headers of [{}, { 'accept-encoding': 'gzip' }]) {
    expect((await get(await serving(), path, headers)).headers['x-content-type-options']).toBe('nosniff');
  }
});

test.each([
  ['/metrics?include=all', '"include" may be own, not "all"'],
  ['/metrics?include=', '"include" may be own, not ""'],
  ['/metrics?include=OWN&format=prometheus', '"include" may be own, not "OWN"'],
  ['/metrics?format=text', '"format" may be prometheus or openmetrics or json, not "text"'],
  ['/metrics/prometheus?include=engines', '"include" may be own, not "engines"'],
  ['/metrics/prometheus?format=json', '"format" may be prometheus or openmetrics, not "json"'],
  ['/engines/vllm/metrics?format=json', '"format" may be prometheus or openmetrics, not "json"'],
  ['/engines/vllm/metrics?raw=yes', '"raw" may be 0 or 1, not "yes"'],
])('%s asks for what there is not, and is told what there is', async (path, message) => {
  const { status, text } = await get(await serving(), path);
  expect([status, JSON.parse(text).error]).toMatchObject([400, { code: 'unsupported_parameter', message }]);
});

test('an engine that is not there is 404 and the answer names those that are', async () => {
  const answer = await get(await serving(), '/engines/nobody/metrics');
  expect([answer.status, answer.text]).toEqual([
    404,
    'there is no engine "nobody"; the engines are: vllm, sglang, trtllm, llama, strata, ollama\n',
  ]);
});

test('a lost engine: its page is 503 with the reason, its series are gone from /metrics, its facts stay', async () => {
  const server = await serving();
  server.answers['vllm'] = gone;
  await server.clock.advance(5_000);
  const page = await get(server, '/engines/vllm/metrics');
  expect(page.status).toBe(503);
  expect(page.text).toContain('connect ECONNREFUSED');
  expect((await get(server, '/engines/vllm/metrics?raw=1')).status).toBe(503);
  const { text } = await get(server, '/metrics', plain);
  expect(text).not.toMatch(/^vllm:.*kind="vllm"/m);
  expect(text).toMatch(/^vllm:.*kind="sglang"/m);
  expect(text).toMatch(/^# engine vllm is down: .*ECONNREFUSED/m);
  expect(text).toMatch(/^penstock:engine_up\{engine_name="vllm".*\} 0$/m);
  expect(text).toMatch(
    /^penstock:engine_scrape_failures_total\{engine_name="vllm".*reason="refused"\} [3-6]$/m,
  );
  const age = /^penstock:engine_scrape_age_seconds\{engine_name="vllm".*\} (\S+)$/m.exec(text)?.[1];
  expect(Number(age)).toBeGreaterThan(3);
});

test('an engine never reached has a page that says so', async () => {
  const page = await get(await serving({ far: () => new Promise(() => {}) }), '/engines/far/metrics');
  expect([page.status, page.text]).toEqual([503, 'engine far has no metrics now: it was not reached yet\n']);
});

test('an engine without metrics has a page of our own counts while it is alive', async () => {
  const server = await serving();
  const engine = server.fleet.get('ollama');
  for (let sent = 0; sent < 3; sent += 1) engine?.begin();
  const at = {
    modelName: 'mistral:latest',
    engineName: 'ollama',
    kind: 'ollama',
    runtimeName: 'ollama-mistral:latest',
  };
  server.metrics.firstToken(0.5, at);
  const page = await get(server, '/engines/ollama/metrics');
  expect(page.status).toBe(200);
  expect(page.text).toMatch(/^penstock:engine_in_flight\{engine_name="ollama".*\} 3$/m);
  // The rest of what we know of it stands among the gateway's facts, and the count there no more.
  expect(page.text).not.toContain('penstock:engine_contract_state');
  const own = (await get(server, '/metrics/prometheus?include=own')).text;
  expect(own).toMatch(/^penstock:engine_contract_state\{engine_name="ollama".*state="none"\} 1$/m);
  expect(own).not.toMatch(/^penstock:engine_in_flight\{engine_name="ollama"/m);
  expect((await get(server, '/metrics', plain)).text).toMatch(
    /^penstock:engine_in_flight\{engine_name="ollama".*\} 3$/m,
  );
  expect(page.text).toMatch(/^vllm:time_to_first_token_seconds_count\{.*source="gateway"\} 1$/m);
  expect(page.text).not.toMatch(/num_requests_(running|waiting)/);
  expect((await get(server, '/engines/ollama/metrics?raw=1')).status).toBe(404);
  server.answers['ollama'] = gone;
  await server.clock.advance(5_000);
  expect((await get(server, '/engines/ollama/metrics')).status).toBe(503);
});

test('latency of the gateway stands in for llama.cpp and never for an engine with histograms', async () => {
  const server = await serving();
  for (const [engineName, kind] of [
    ['llama', 'llama-cpp'],
    ['vllm', 'vllm'],
  ] as const) {
    server.metrics.firstToken(0.5, { modelName: 'm', engineName, kind, runtimeName: 'r' });
  }
  expect((await get(server, '/engines/llama/metrics')).text).toContain('source="gateway"');
  expect((await get(server, '/engines/vllm/metrics')).text).not.toContain('source="gateway"');
});

test('a page that turns out malformed when somebody asks is 503 with the place, and its contract says so', async () => {
  const server = await serving();
  const whole = new TextDecoder().decode(fixture('engine-metrics', 'synthetic-vllm-v1-2026-core.prom'));
  server.answers['vllm'] = byPath({
    '/health': '',
    '/v1/models': '{"data":[{"id":"m","owned_by":"vllm"}]}',
    '/metrics': whole,
  });
  await server.clock.advance(2_000);
  server.answers['vllm'] = byPath({ '/health': '', '/metrics': `${whole}load -nan\n` });
  await server.clock.advance(1_000);
  expect(server.fleet.get('vllm')?.view().contract).toBe('complete');
  const page = await get(server, '/engines/vllm/metrics');
  expect(page.status).toBe(503);
  expect(page.text).toMatch(/malformed: line \d+, column \d+/);
  expect(server.fleet.get('vllm')?.view().contract).toBe('malformed');
  const { text } = await get(server, '/metrics', plain);
  expect(text).toMatch(/^# engine vllm has no series: its metrics page is malformed/m);
});

test('large pages are zipped for those who take it, and only for them', async () => {
  const server = await serving();
  const zipped = await get(server, '/engines/vllm/metrics', { 'accept-encoding': 'gzip;q=1.0, deflate' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  const flat = await get(server, '/engines/vllm/metrics', { 'accept-encoding': 'gzip;q=0' });
  expect(flat.headers['content-encoding']).toBeUndefined();
  expect(gunzipSync(zipped.bytes).equals(flat.bytes)).toBe(true);
  expect(zipped.bytes.length).toBeLessThan(flat.bytes.length / 5);
});

test('HEAD answers the same head without a body', async () => {
  const answer = await get(await serving(), '/metrics/prometheus', {}, 'HEAD');
  expect([answer.status, answer.headers['content-type'], answer.bytes.length]).toEqual([200, TEXT, 0]);
});

test('the record says for each engine who it is, how it is, what it reported and how old that is', async () => {
  const server = await serving();
  server.answers['strata'] = gone;
  await server.clock.advance(5_000);
  const record = JSON.parse((await get(server, '/metrics')).text) as MetricsRecord;
  expect(record.time).toBe(server.clock.wallTime() / 1_000);
  expect(record.gateway['gateway_in_flight']).toBe(0);
  const by = new Map(record.engines.map((engine) => [engine.engine_name, engine]));
  expect(by.get('llama')).toMatchObject({
    kind: 'llama-cpp',
    certainty: 'known',
    health: 'up',
    signals: { running: 4, waiting: 2 },
    facts: { engine_up: 1, engine_in_flight: 0 },
  });
  expect(by.get('llama')?.signals_age_seconds).toBeLessThan(1);
  expect(by.get('strata')).toMatchObject({ health: 'down', contract: 'unseen', facts: { engine_up: 0 } });
  expect(by.get('strata')?.reason).toContain('ECONNREFUSED');
  expect(by.get('strata')?.signals).toBeUndefined();
});

test('the record and the page show one value: each own family stands under its name without the prefix', async () => {
  const server = await serving();
  server.metrics.choice('least-requests', 'lowest-load');
  server.metrics.firstToken(0.5, { modelName: 'm', engineName: 'vllm', kind: 'vllm', runtimeName: 'r' });
  const { text } = await get(server, '/metrics?format=prometheus&include=own');
  const names = new Set((text.match(/^# TYPE penstock:\S+/gm) ?? []).map((line) => line.slice(16)));
  const record = JSON.parse((await get(server, '/metrics')).text) as MetricsRecord;
  const keys = [record.gateway, ...record.engines.map(({ facts }) => facts)].flatMap((facts) =>
    Object.keys(facts),
  );
  expect(new Set(keys)).toEqual(names);
  expect(record.gateway['gateway_choices_total']).toEqual([
    { labels: { policy: 'least-requests', reason: 'lowest-load' }, value: 1 },
  ]);
  expect(record.gateway['gateway_time_to_first_token_seconds']).toMatchObject([
    { labels: { engine_name: 'vllm' }, count: 1, sum: 0.5 },
  ]);
});

interface Group {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

async function discovered(
  server: PageServer,
  headers: Record<string, string> = {},
): Promise<readonly Group[]> {
  const answer = await get(server, '/sd/prometheus', headers);
  expect(answer.headers['content-type']).toBe('application/json');
  return JSON.parse(answer.text) as readonly Group[];
}

test('discovery lists every page at the address it was asked at, with the engine as instance, and our own facts', async () => {
  const server = await serving({ 'a b': byPath({}), c: byPath({}) });
  const host = server.url.replace('http://', '');
  expect(await discovered(server)).toEqual([
    { targets: [host], labels: { __metrics_path__: '/engines/a%20b/metrics', instance: 'a b' } },
    { targets: [host], labels: { __metrics_path__: '/engines/c/metrics', instance: 'c:8000' } },
    { targets: [host], labels: { __metrics_path__: '/metrics/prometheus', __param_include: 'own' } },
  ]);
});

test('discovery speaks of the public address where the Host header was not checked', async () => {
  const publicUrl = 'https://llm.example.org/penstock';
  const server = await serving({ c: byPath({}) }, { publicUrl, hostChecked: false });
  expect((await discovered(server))[0]).toEqual({
    targets: ['llm.example.org:443'],
    labels: { __scheme__: 'https', __metrics_path__: '/penstock/engines/c/metrics', instance: 'c:8000' },
  });
});

test('a checked Host header comes first, a port is always named', async () => {
  const server = await serving({ c: byPath({}) }, { publicUrl: 'https://llm.example.org' });
  expect((await discovered(server, { host: 'gate.example' }))[0]?.targets).toEqual(['gate.example:80']);
});

test('engines behind one address are told apart by their names', async () => {
  const server = await serving({ c: byPath({}) });
  server.fleet.add({
    name: 'd',
    url: 'http://c:8000/second',
    kind: undefined,
    runtime: undefined,
    key: undefined,
    metrics: undefined,
  });
  const instances = (await discovered(server)).map(({ labels }) => labels['instance']);
  expect(instances).toEqual(['c', 'd', undefined]);
});
