import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';

import { fakeIo } from '../../../test/kit/fake-io.ts';
import { ExitCode } from '../command.ts';
import { runCli } from '../run-cli.ts';
import { doctor } from './doctor.ts';

const LLAMA_PAGE = `# TYPE llamacpp:requests_processing gauge
llamacpp:requests_processing 1
# TYPE llamacpp:requests_deferred gauge
llamacpp:requests_deferred 2
# TYPE llamacpp:prompt_tokens_total counter
llamacpp:prompt_tokens_total 12
# TYPE llamacpp:prompt_tokens_cached_total counter
llamacpp:prompt_tokens_cached_total 3
# TYPE llamacpp:tokens_predicted_total counter
llamacpp:tokens_predicted_total 40
`;

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

/** An engine that answers these paths and 404 elsewhere. */
async function engine(answers: Readonly<Record<string, string>>, server = 'llama.cpp'): Promise<string> {
  const http = createServer((request, response) => {
    const body = answers[request.url ?? ''];
    const type = request.url === '/metrics' ? 'text/plain; version=0.0.4' : 'application/json';
    response.writeHead(body === undefined ? 404 : 200, { server, 'content-type': type });
    response.end(body ?? '{}');
  });
  servers.push(http);
  await new Promise<void>((resolve) => {
    http.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const llamaAnswers = {
  '/health': '{"status":"ok"}',
  '/v1/models': '{"object":"list","data":[{"id":"tiny.gguf","owned_by":"llamacpp"}]}',
  '/props': '{"build_info":"b1-80fb11a"}',
  '/metrics': LLAMA_PAGE,
};

async function callDoctor(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const { io, written } = fakeIo();
  const code = await runCli(['doctor', ...argv], { commands: [doctor], version: '0', io });
  return { code, ...written };
}

test('an engine in order is fine, with all that is known of it', async () => {
  const url = await engine(llamaAnswers);
  const { code, out } = await callDoctor('--engine', url);
  expect(code).toBe(ExitCode.ok);
  expect(out).toContain(`ok   ${url.replace('http://', '').replace(':', '-')}  ${url}`);
  expect(out).toContain('llama.cpp (known: its answers carry the header "Server: llama.cpp")');
  expect(out).toContain('b1-80fb11a');
  expect(out).toMatch(/health +up\n/);
  expect(out).toMatch(/models +tiny\.gguf\n/);
  expect(out).toMatch(/contract +complete\n/);
  expect(out).toContain('running 1, waiting 2, prompt tokens 15, generated tokens 40');
  expect(out).toContain('never     vllm:cache_config_info: Not on the page');
  expect(out).toContain('1 engine, all fine');
});

test('an engine without its metrics page is told which flag brings it', async () => {
  const { '/metrics': _, ...withoutPage } = llamaAnswers;
  const { code, out } = await callDoctor('--engine', await engine(withoutPage));
  expect(code).toBe(ExitCode.failed);
  expect(out).toMatch(/^FAIL /);
  expect(out).toMatch(/contract +unseen/);
  expect(out).toMatch(/do +start it with --metrics: /);
});

test('a page without a mandatory signal is blind and names it', async () => {
  const page = LLAMA_PAGE.replaceAll('requests_deferred', 'requests_delayed');
  const { code, out } = await callDoctor('--engine', await engine({ ...llamaAnswers, '/metrics': page }));
  expect(code).toBe(ExitCode.failed);
  expect(out).toMatch(/contract +blind/);
  expect(out).toMatch(/missing +vllm:num_requests_waiting/);
});

test('a page that Prometheus would refuse is malformed and says where', async () => {
  const page = `${LLAMA_PAGE}llamacpp:broken{ 1\n`;
  const { code, out } = await callDoctor('--engine', await engine({ ...llamaAnswers, '/metrics': page }));
  expect(code).toBe(ExitCode.failed);
  expect(out).toMatch(/contract +malformed/);
  expect(out).toMatch(/health +up: line 11, column /);
});

test('one engine of two that is gone fails the whole and is named', async () => {
  const url = await engine(llamaAnswers);
  const gone = await engine({});
  await new Promise((resolve) => servers.pop()?.close(resolve));
  const { code, out } = await callDoctor('--engine', url, '--engine', gone);
  expect(code).toBe(ExitCode.failed);
  expect(out).toContain('health    unreachable: ');
  expect(out).toContain('2 engines, 1 with something wrong: ');
  expect(out.match(/ECONNREFUSED/g)).toHaveLength(1);
});

test('an engine of a kind without metrics is fine while it is alive', async () => {
  const url = await engine({ '/': 'Ollama is running', '/v1/models': '{"data":[]}' }, 'x');
  const { code, out } = await callDoctor('--engine', url);
  expect(out).toMatch(/contract +none/);
  expect(out).toContain('it lists no model: no request can be routed to it');
  expect(code).toBe(ExitCode.ok);
});

test('--json says the same to a program', async () => {
  const { code, out } = await callDoctor('--json', '--engine', await engine(llamaAnswers));
  expect(code).toBe(ExitCode.ok);
  expect(JSON.parse(out)).toMatchObject({
    fine: true,
    engines: [
      {
        kind: 'llama-cpp',
        certainty: 'known',
        version: 'b1-80fb11a',
        health: 'up',
        contract: 'complete',
        models: [{ id: 'tiny.gguf' }],
        signals: { running: 1, waiting: 2 },
        missing: [],
        advice: [],
      },
    ],
  });
});

test('a doctor without patients is used wrongly', async () => {
  expect(await callDoctor()).toMatchObject({ code: ExitCode.usage });
});
