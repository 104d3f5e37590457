import { expect, test } from 'vitest';
import { familyOf } from './index.ts';
import { kindFamilies } from './kind.ts';
import { ownFamilies } from './own.ts';
import { vllmFamilies } from './vllm.ts';

const NAME =
  /^(vllm:|penstock:|sglang:|llamacpp:|strata:|lmdeploy:|trtllm_|ray_serve_|tgi_|nv_|dynamo_|mistralrs_|llamaswap_)[a-z][a-zA-Z0-9_]*$/;
/** TGI and Triton give their counters no `_total`. */
const BARE_COUNTERS = /^(tgi|nv)_/;

const all = [...vllmFamilies, ...ownFamilies, ...kindFamilies];

test('every family stands in the catalogue once, and is found by its name', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const family of all) expect(familyOf(family.name)).toBe(family);
  expect(familyOf('vllm:prompt_tokens_created')).toBeUndefined();
});

test.each(all)('$name has a legal name of its part and a sentence of help', ({ name, help }) => {
  expect(name).toMatch(NAME);
  expect(help).toMatch(/^[A-Z].*\.$/);
});

test('counters end in _total, and nothing else but the histogram that vLLM named so and what totals are', () => {
  const odd = all.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'));
  expect(odd.map(({ name }) => name).filter((name) => !BARE_COUNTERS.test(name))).toEqual([
    'vllm:iteration_tokens_total',
    'mistralrs_kv_cache_blocks_total',
  ]);
});

test('bounds rise, and only histograms have them', () => {
  for (const { name, type, bounds } of all) {
    if (bounds === undefined) continue;
    expect(type, name).toBe('histogram');
    expect(
      [...bounds].sort((one, other) => one - other),
      name,
    ).toEqual(bounds);
    expect(new Set(bounds).size, name).toBe(bounds.length);
  }
});

test('label values are given for labels that the family has', () => {
  for (const { name, labels, labelValues = {} } of all) {
    for (const label of Object.keys(labelValues)) expect(labels, name).toContain(label);
  }
});
