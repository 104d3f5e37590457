import { expect, test } from 'vitest';
import { genericProfile, profileOf } from '../engines/index.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { EngineSettings } from '../fleet/engine.ts';
import {
  engineRequest,
  modelPageRequest,
  pageIsElsewhere,
  pageRequest,
  withFoundPage,
} from './engine-request.ts';

const settings: EngineSettings = {
  name: 'e',
  url: 'http://gpu:8000',
  kind: undefined,
  runtime: undefined,
  key: 'secret',
  metrics: undefined,
};

function profile(kind: string): EngineProfile {
  return profileOf(kind) ?? genericProfile;
}

test.each([
  ['vllm', 'http://gpu:8000/metrics'],
  ['sglang', 'http://gpu:8000/metrics'],
  ['trtllm', 'http://gpu:8000/prometheus/metrics'],
  ['llama-cpp', 'http://gpu:8000/metrics'],
  ['triton', 'http://gpu:8002/metrics'],
  ['ray-vllm', 'http://gpu:8080/metrics'],
  ['nim', 'http://gpu:8000/v1/metrics'],
  ['strata', 'http://gpu:8000/metrics?format=prometheus'],
])('the page of %s is at %s, asked for as plain text 0.0.4', (kind, url) => {
  const request = pageRequest(settings, profile(kind));
  expect(request?.url).toBe(url);
  expect(request?.headers['accept']).toBe('text/plain; version=0.0.4');
});

test('a kind without metrics has no page, unless the operator says where one is', () => {
  expect(pageRequest(settings, profile('ollama'))).toBeUndefined();
  expect(pageRequest({ ...settings, metrics: '/m' }, profile('ollama'))?.url).toBe('http://gpu:8000/m');
});

test('a configured path is below the base URL, with or without its slash', () => {
  const below = { ...settings, url: 'http://gpu:8000/vllm-a', metrics: 'own/metrics?x=1' };
  expect(pageRequest(below, profile('vllm'))?.url).toBe('http://gpu:8000/vllm-a/own/metrics?x=1');
});

test("the key goes to the engine's host, on another port too", () => {
  expect(engineRequest(settings, '/v1/models').headers['authorization']).toBe('Bearer secret');
  const port = pageRequest({ ...settings, metrics: 'http://gpu:9000/metrics' }, profile('vllm'));
  expect(port).toMatchObject({ url: 'http://gpu:9000/metrics', headers: { authorization: 'Bearer secret' } });
});

test.each([
  ['another host', 'http://metrics:8000/metrics'],
  ['the same host in clear', 'http://gpu/metrics'],
])('the key does not go to %s', (_, metrics) => {
  const url = metrics.startsWith('http://gpu') ? 'https://gpu' : settings.url;
  expect(
    pageRequest({ ...settings, url, metrics }, profile('vllm'))?.headers['authorization'],
  ).toBeUndefined();
});

test("a page on a port of its own is at the engine's host, without the path of its address", () => {
  const below = { ...settings, url: 'https://gpu/some/path' };
  expect(pageRequest(below, profile('triton'))?.url).toBe('https://gpu:8002/metrics');
  expect(pageRequest({ ...below, metrics: '/m' }, profile('triton'))?.url).toBe('https://gpu/some/path/m');
  expect(pageIsElsewhere(settings, profile('triton'))).toBe(true);
  expect(pageIsElsewhere(settings, profile('vllm'))).toBe(false);
});

test("a model's page names the model, behind what the kind asks anyway, and elsewhere if it is elsewhere", () => {
  const url = (metrics: string | undefined, kind = 'llama-cpp-router') =>
    modelPageRequest({ ...settings, metrics }, profile(kind), 'org/a b&c')?.url;
  expect(url(undefined)).toBe('http://gpu:8000/metrics?autoload=false&model=org%2Fa%20b%26c');
  expect(url('/m')).toBe('http://gpu:8000/m?model=org%2Fa%20b%26c');
  expect(url(undefined, 'vllm')).toBe('http://gpu:8000/metrics');
});

test('only a page of another origin can be gone while the engine is there', () => {
  expect(pageIsElsewhere(settings)).toBe(false);
  expect(pageIsElsewhere({ ...settings, metrics: '/metrics' })).toBe(false);
  expect(pageIsElsewhere({ ...settings, metrics: 'http://gpu:8000/metrics' })).toBe(false);
  expect(pageIsElsewhere({ ...settings, metrics: 'http://gpu:9000/metrics' })).toBe(true);
});

test('a page found at its own address is read there and counts as its own, unless the operator named another', () => {
  const ray = profile('ray-vllm');
  const identity = {
    profile: ray,
    certainty: 'guess',
    reason: '',
    version: undefined,
    models: [],
    metricsPath: '/metrics',
  } as const;
  expect(pageIsElsewhere(settings, ray)).toBe(true);
  const found = withFoundPage(settings, identity);
  expect(pageRequest(found, ray)?.url).toBe('http://gpu:8000/metrics');
  expect(pageIsElsewhere(found, ray)).toBe(false);
  const named = withFoundPage({ ...settings, metrics: '/m' }, identity);
  expect(pageRequest(named, ray)?.url).toBe('http://gpu:8000/m');
});
