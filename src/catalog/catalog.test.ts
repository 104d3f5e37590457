import { expect, test } from 'vitest';
import { familyOf } from './index.ts';
import { kindFamilies } from './kind.ts';
import { ownFamilies } from './own.ts';
import { vllmFamilies } from './vllm.ts';

const all = [...vllmFamilies, ...ownFamilies, ...kindFamilies];

test('every family stands in the catalogue once, and is found by its name', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  for (const family of all) expect(familyOf(family.name)).toBe(family);
  expect(familyOf('vllm:prompt_tokens_created')).toBeUndefined();
});

test.each(all)('$name has a legal name of its part and a sentence of help', ({ name, help }) => {
  expect(name).toMatch(/^(vllm:|penstock:|sglang:|llamacpp:|strata:|trtllm_)[a-z][a-z0-9_]*$/);
  expect(help).toMatch(/^[A-Z].*\.$/);
});

test('counters end in _total, and nothing else but the histogram that vLLM named so', () => {
  const odd = all.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'));
  expect(odd.map(({ name }) => name)).toEqual(['vllm:iteration_tokens_total']);
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
