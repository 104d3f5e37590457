import { expect, test } from 'vitest';
import { ownFamilies } from '../catalog/own.ts';
import { writeText } from '../exposition/write-text.ts';
import { type EngineFacts, engineFactFamilies } from './engine-facts.ts';
import { GatewayMetrics } from './gateway-metrics.ts';
import { standInLatency } from './stand-in-latency.ts';

const at = { modelName: 'm', engineName: 'box', kind: 'llama-cpp', runtimeName: 'llama-cpp-m' };
const facts: EngineFacts = {
  name: 'box',
  runtime: 'llama-cpp-m',
  kind: 'llama-cpp',
  up: true,
  scrapeAgeMs: 250,
  lastDurationMs: 12,
  scrapes: 5,
  failures: new Map([['timeout', 2]]),
  restarts: 1,
  contract: 'blind',
  missing: ['vllm:num_requests_waiting'],
  inFlight: 3,
  breaker: 'closed',
  faults: new Map([['died', 2]]),
  version: 'b1',
  certainty: 'known',
  kvCapacityTokens: 4096,
};

function used(): GatewayMetrics {
  const metrics = new GatewayMetrics({ version: '0.1.0' });
  metrics.requestStarted();
  metrics.requestStarted();
  metrics.requestFinished({
    modelName: 'm',
    endpoint: 'chat/completions',
    status: 200,
    seconds: 2,
    engine: at,
  });
  metrics.firstToken(0.3, at);
  metrics.interEvent(0.02, at);
  metrics.error('model_not_found');
  metrics.retry('unreachable');
  metrics.choice('least-requests', 'lowest-load');
  metrics.clientLeft();
  return metrics;
}

test('what the meter is told stands on the page', () => {
  const text = writeText(used().families());
  for (const line of [
    'penstock:gateway_requests_total{model_name="m",endpoint="chat/completions",status_class="2xx"} 1',
    'penstock:gateway_in_flight 1',
    'penstock:gateway_errors_total{code="model_not_found"} 1',
    'penstock:gateway_retries_total{cause="unreachable"} 1',
    'penstock:gateway_choices_total{policy="least-requests",reason="lowest-load"} 1',
    'penstock:gateway_client_left_total 1',
    'penstock:gateway_info{version="0.1.0"} 1',
    'penstock:gateway_time_to_first_token_seconds_sum{model_name="m",engine_name="box",kind="llama-cpp",runtime_name="llama-cpp-m"} 0.3',
    'penstock:gateway_request_seconds_count{model_name="m",engine_name="box",kind="llama-cpp",runtime_name="llama-cpp-m"} 1',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

test('a request that no engine answered is counted and has no latency of an engine', () => {
  const metrics = new GatewayMetrics({ version: '0.1.0' });
  metrics.requestStarted();
  metrics.requestFinished({
    modelName: 'other',
    endpoint: 'other',
    status: 404,
    seconds: 0,
    engine: undefined,
  });
  const text = writeText(metrics.families());
  expect(text).toContain('status_class="4xx"} 1');
  expect(text).toContain('penstock:gateway_in_flight 0\n');
  expect(text).not.toContain('gateway_request_seconds');
});

test('every own family of the catalogue is written by somebody, and nothing else', () => {
  const written = [...used().families(), ...engineFactFamilies([facts])].map(({ name }) => name);
  expect(written.sort()).toEqual(ownFamilies.map(({ name }) => name).sort());
});

test('what is known of an engine stands under its name, and only its own state is 1', () => {
  const text = writeText(engineFactFamilies([facts]));
  const whose = 'engine_name="box",runtime_name="llama-cpp-m",kind="llama-cpp"';
  for (const line of [
    `penstock:engine_up{${whose}} 1`,
    `penstock:engine_scrape_age_seconds{${whose}} 0.25`,
    `penstock:engine_scrape_failures_total{${whose},reason="timeout"} 2`,
    `penstock:engine_contract_state{${whose},state="blind"} 1`,
    `penstock:engine_contract_state{${whose},state="complete"} 0`,
    `penstock:engine_in_flight{${whose}} 3`,
  ]) {
    expect(text).toContain(`${line}\n`);
  }
});

test('what is not known of an engine is no series', () => {
  const unknown = { ...facts, scrapeAgeMs: undefined, kvCapacityTokens: undefined, certainty: undefined };
  const text = writeText(engineFactFamilies([unknown]));
  expect(text).not.toMatch(/age_seconds|capacity|engine_info/);
});

test("the gateway's latency stands in under vLLM's names, marked, for that engine alone", () => {
  const metrics = used();
  metrics.firstToken(9, { ...at, engineName: 'another' });
  const families = standInLatency(metrics, { name: 'box', runtime: 'llama-cpp-m', kind: 'llama-cpp' });
  expect(families.map(({ name }) => name)).toEqual([
    'vllm:time_to_first_token_seconds',
    'vllm:inter_token_latency_seconds',
    'vllm:e2e_request_latency_seconds',
  ]);
  const text = writeText(families);
  expect(text).toContain(
    'vllm:time_to_first_token_seconds_sum{model_name="m",engine="0",engine_name="box",runtime_name="llama-cpp-m",kind="llama-cpp",source="gateway"} 0.3\n',
  );
  expect(text).not.toContain('another');
});

test('before anything was measured there is no stand-in', () => {
  const metrics = new GatewayMetrics({ version: '0.1.0' });
  expect(standInLatency(metrics, { name: 'box', runtime: 'r', kind: 'ollama' })).toEqual([]);
});
