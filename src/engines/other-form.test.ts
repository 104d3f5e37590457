import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fixture } from '../../test/kit/fixture.ts';
import { parseExposition } from '../exposition/parse.ts';
import { mlcLlm } from './mlc-llm.ts';
import { textOf } from './other-form.ts';
import type { OtherForm } from './profile.ts';
import { strata } from './strata.ts';
import { trtllmJson } from './trtllm-json.ts';

const bodyOf = (file: string): string => new TextDecoder().decode(fixture('engine-metrics', file));

function form(profile: { readonly metrics: { readonly otherForm?: OtherForm } | undefined }): OtherForm {
  const found = profile.metrics?.otherForm;
  if (found === undefined) throw new Error('no other form');
  return found;
}

function samplesIn(text: string | undefined): Readonly<Record<string, number>> {
  const { samples } = parseExposition(new TextEncoder().encode(text), 'text-0.0.4');
  return Object.fromEntries(
    samples.map(({ name, labels, value }) => [name + (labels['state'] ?? ''), value]),
  );
}

test("Strata's JSON says what its text form says: seconds for milliseconds, one for the state it is in", () => {
  const said = samplesIn(textOf(form(strata), bodyOf('synthetic-strata-metrics.json')));
  expect(said).toMatchObject({
    'vllm:num_requests_running': 1,
    'vllm:num_requests_waiting': 2,
    'vllm:prompt_tokens_total': 51_230,
    'vllm:prefix_cache_hits_total': 30_110,
    'strata:totals_prompt_seconds_total': 141.2,
    'strata:totals_decode_seconds_total': 612.9,
    'strata:live_stateidle': 0,
    'strata:live_stategenerating': 1,
    'strata:engine_max_context': 32_768,
  });
  const text = samplesIn(bodyOf('synthetic-strata-vllm-form.prom'));
  for (const [name, value] of Object.entries(said)) {
    if (name in text) expect([name, text[name]]).toEqual([name, value]);
  }
});

test("an older Strata's JSON without a field gives no sample for it: nothing is made up", () => {
  const said = samplesIn(
    textOf(form(strata), '{"engine":{"model":"m"},"live":{"state":"idle"},"totals":{}}'),
  );
  expect(said).toEqual({
    'vllm:num_requests_running': 0,
    'strata:live_stateunloaded': 0,
    'strata:live_stateidle': 1,
    'strata:live_statereading': 0,
    'strata:live_stategenerating': 0,
  });
});

test("of TensorRT-LLM's records the newest is read, and milliseconds become seconds", () => {
  const records = '[{"numActiveRequests":1,"iterLatencyMS":5},{"numActiveRequests":3,"iterLatencyMS":12}]';
  expect(samplesIn(textOf(form(trtllmJson), records))).toEqual({
    trtllm_num_requests_running: 3,
    trtllm_iteration_latency_seconds: 0.012,
  });
});

test('records that somebody else has read already are a page that says nothing, not a broken one', () => {
  expect(samplesIn(textOf(form(trtllmJson), '[]'))).toEqual({});
});

test('lines of MLC-LLM are read with their labels; what is no such line is not there', () => {
  const text = textOf(form(mlcLlm), `${bodyOf('synthetic-mlc-llm.txt')}some words\nname\tnone\n`);
  const said = samplesIn(text);
  expect(said).toMatchObject({ prompt_tokens_sum: 5120, completion_tokens_sum: 2048 });
  expect(text).toContain('decode_time_by_batch_size_mean{batch_size="1"} 0.0204\n');
  expect(Object.keys(said).length).toBe(13);
});

test.each([
  { what: 'HTML', body: '<html></html>' },
  { what: 'an exposition page', body: 'a 1\n' },
  { what: 'a cut JSON', body: '{"live":{"state":"idle"' },
  { what: 'JSON of another shape', body: '"text"' },
  { what: 'nothing', body: '' },
])('$what is not of these forms', ({ body }) => {
  for (const one of [strata, trtllmJson, mlcLlm]) expect(textOf(form(one), body)).toBeUndefined();
});

test('whatever the JSON holds, what comes out is a page', () => {
  fc.assert(
    fc.property(fc.json(), (body) => {
      for (const one of [strata, trtllmJson]) {
        const text = textOf(form(one), body);
        if (text !== undefined) expect(() => samplesIn(text)).not.toThrow();
      }
    }),
    { seed: 5, numRuns: 300 },
  );
});
