import { expect, test } from 'vitest';
import { readPage, sharedPages } from '../../test/kit/engine-pages.ts';
import { familyOf } from '../catalog/index.ts';
import { rayVllm } from './ray-vllm.ts';
import { sampleNames } from './sample-names.ts';
import { vllm } from './vllm.ts';

const ALL = 'synthetic-vllm-v1-2026-all-optional-with-created.prom';
const recorded = sharedPages().filter((file) => /^vllm-.*\.prom$/.test(file));

test('every family that vLLM can serve is in the catalogue, with its type and its own labels', () => {
  const { families, samples } = readPage(ALL);
  const served = families.filter(({ name }) => name.startsWith('vllm:') && !name.endsWith('_created'));
  expect(served.length).toBeGreaterThan(80);
  for (const { name, type } of served) {
    // One family for both directions, before each had its own.
    if (/^vllm:kv_offload_(total_bytes_total|total_time_total|size)$/.test(name)) continue;
    const family = familyOf(name);
    expect(family?.type, name).toBe(type);
    if (family?.ranks === 'info') continue;
    const labels = samples.filter((sample) => sample.name.replace(/_(bucket|sum|count)$/, '') === name);
    const own = new Set(labels.flatMap((sample) => Object.keys(sample.labels)));
    for (const common of ['engine', 'model_name', 'le']) own.delete(common);
    expect([...own].sort(), name).toEqual([...(family?.labels ?? [])].sort());
  }
});

test.each([ALL, ...recorded])('no family of %s is unknown', (file) => {
  const known = new Set(sampleNames(vllm, Object.keys(vllm.families)));
  const names = readPage(file).samples.map(({ name }) => name);
  expect(
    names.filter((name) => name.startsWith('vllm:') && !/_created$/.test(name) && !known.has(name)),
  ).toEqual([]);
});

test.each(['synthetic-ray-vllm-2026.prom', ...sharedPages().filter((file) => /^ray-.*\.prom$/.test(file))])(
  'no family of vLLM on %s is unknown',
  (file) => {
    const known = new Set(sampleNames(rayVllm, Object.keys(rayVllm.families)));
    const names = readPage(file).samples.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => /^ray_vllm[_:]/.test(name) && !known.has(name))).toEqual([]);
  },
);

test('what a version took away ends there in the catalogue, and is no part of the page that stands for a later one', () => {
  for (const name of [
    'vllm:num_requests_swapped',
    'vllm:tokens_total',
    'vllm:prompt_tokens_recomputed_total',
  ]) {
    expect(familyOf(name)?.until, name).toBeDefined();
    expect(vllm.families[name], name).toMatchObject({ optional: true });
  }
});
