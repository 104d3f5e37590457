import { expect, test } from 'vitest';

import { fakeIo } from '../../../test/kit/fake-io.ts';
import { useAnswers } from '../../../test/kit/use-answers.ts';
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

const engine = useAnswers();
const llamaServer = { headers: { server: 'llama.cpp' } };

const llamaAnswers = {
  '/health': { ...llamaServer, body: '{"status":"ok"}' },
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
  expect(out).toContain('never     vllm:kv_cache_usage_perc: llama-server took its KV gauges away in\n');
  expect(out).toContain('          vllm:cache_config_info: Not on the page');
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
  expect(out).toMatch(/health +up\n/);
  expect(out).toMatch(/metrics +line 11, column /);
  expect(out).toMatch(/do +penstock parse http:\S+\/metrics shows the place/);
});

test('one engine of two that is gone fails the whole and is named', async () => {
  const url = await engine(llamaAnswers);
  const gone = 'http://127.0.0.1:1';
  const { code, out } = await callDoctor('--engine', url, '--engine', gone);
  expect(code).toBe(ExitCode.failed);
  expect(out).toContain('health    unreachable: ');
  expect(out).toContain(`do        check that the engine runs and that ${gone} is its\n`);
  expect(out).toContain('2 engines, 1 with something wrong: ');
  expect(out.match(/ECONNREFUSED/g)).toHaveLength(1);
});

test('an engine of a kind without metrics is fine while it is alive and has a model', async () => {
  const list = '{"data":[{"id":"llama3.2","owned_by":"library"}]}';
  const { code, out } = await callDoctor(
    '--engine',
    await engine({ '/': 'Ollama is running', '/v1/models': list }),
  );
  expect(out.replace(/\n +/g, ' ')).toContain(
    'contract  none: Ollama has no metrics; it is judged by what Penstock itself sent it',
  );
  expect(code).toBe(ExitCode.ok);
});

test('what an engine says of itself is shown and does nothing to the terminal', async () => {
  const evil = '\u001b[2J\u009b31m\nok   other  http://x';
  const { out } = await callDoctor(
    '--engine',
    await engine({
      ...llamaAnswers,
      '/v1/models': JSON.stringify({ data: [{ id: evil, owned_by: 'llamacpp' }] }),
    }),
  );
  expect(out).toMatch(/models +\\u001b\[2J\\u009b31m\\u000aok/);
  expect(out).not.toMatch(/[^\n -~]/);
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

test('of a page found where its kind has none, the place is told', async () => {
  const page = '# TYPE ray_vllm_num_requests_running gauge\nray_vllm_num_requests_running{ReplicaId="a"} 3\n';
  const models = '{"data":[{"id":"m","owned_by":"somebody"}]}';
  const url = await engine({ '/health': '', '/v1/models': models, '/metrics': page });
  const { out } = await callDoctor('--engine', url);
  expect(out.replaceAll(/\s+/g, ' ')).toContain(`metrics read at ${url}/metrics, where the page stood`);
  expect(out).toContain('running 3');
});
