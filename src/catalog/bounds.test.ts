import { expect, test } from 'vitest';
import { readPage } from '../../test/kit/engine-pages.ts';
import { oneTwoFive } from './bounds.ts';
import { familyOf } from './index.ts';
import { vllmFamilies } from './vllm.ts';

test('token bounds go in steps of 1, 2, 5 up to the limit', () => {
  expect(oneTwoFive(5)).toEqual([1, 2, 5]);
  expect(oneTwoFive(40)).toEqual([1, 2, 5, 10, 20]);
  expect(oneTwoFive(0)).toEqual([]);
});

test("vLLM's bounds are those of its page", () => {
  const onPage = new Map<string, number[]>();
  for (const { name, labels } of readPage('synthetic-vllm-v1-2026-all-optional-with-created.prom').samples) {
    const family = name.replace(/_bucket$/, '');
    if (family === name || labels['le'] === '+Inf') continue;
    const bounds = onPage.get(family) ?? [];
    onPage.set(family, [...new Set([...bounds, Number(labels['le'])])]);
  }
  // Token bounds depend on the longest context: this page's is longer than the catalogue's.
  const fixed = vllmFamilies.filter(
    ({ name, bounds, until }) => bounds !== undefined && until === undefined && !name.endsWith('_tokens'),
  );
  expect(fixed.length).toBeGreaterThan(25);
  for (const { name } of fixed) expect(onPage.get(name), name).toEqual(familyOf(name)?.bounds);
  expect(onPage.get('vllm:request_prompt_tokens')).toEqual(oneTwoFive(500_000));
});
