import { expect, test } from 'vitest';
import { fixture } from '../../test/kit/fixture.ts';
import { genericProfile, profileOf } from '../engines/index.ts';
import type { ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import { readSamples } from '../engines/read.ts';
import { readSignals } from '../engines/signals.ts';
import { parseExposition } from '../exposition/parse.ts';
import { type WrittenFamily, writeText } from '../exposition/write-text.ts';
import { pageChunks, renderFamily } from './rendered-page.ts';
import { translatePage } from './translate.ts';

const pages = [
  ['vllm', 'synthetic-vllm-v1-2026-core.prom'],
  ['vllm', 'synthetic-vllm-v1-2026-dp4.prom'],
  ['sglang', 'synthetic-sglang-0.5-tp2-dp2.prom'],
  ['trtllm', 'synthetic-trtllm-1.3-iter-stats.prom'],
  ['strata', 'synthetic-strata-vllm-form.prom'],
  ['llama-cpp', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom'],
] as const;

function profile(kind: string): EngineProfile {
  const found = profileOf(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}

function model(id: string): ServedModel {
  return { id, aliases: [], maxModelTokens: undefined, loaded: undefined, created: undefined };
}

function translated(kind: string, bytes: Uint8Array, models = [model('m')], name = 'gpu-0') {
  const engine = { name, runtime: 'r', profile: profile(kind), models };
  return translatePage({ bytes, format: 'text-0.0.4' }, engine);
}

function reread(families: readonly WrittenFamily[]) {
  return parseExposition(
    Buffer.concat([...pageChunks(families.map(renderFamily), 'text-0.0.4')]),
    'text-0.0.4',
  );
}

function page(...lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}

test.each(pages)('a page of %s (%s) says the same in vLLM names as in its own', (kind, file) => {
  const bytes = fixture('engine-metrics', file);
  const own = parseExposition(bytes, 'text-0.0.4').samples;
  const said = readSignals(profile(kind), own);
  const back = readSignals(genericProfile, reread(translated(kind, bytes)).samples);
  // Progress is a family of the kind's own choice.
  expect({ ...back, progress: undefined }).toEqual({ ...said, progress: undefined });
  expect(said.running).toBeGreaterThan(0);
});

test.each(pages)(
  'every family of %s (%s) comes back whole: values, labels, histograms with its own bounds',
  (kind, file) => {
    const bytes = fixture('engine-metrics', file);
    const said = readSamples(profile(kind), parseExposition(bytes, 'text-0.0.4').samples);
    const back = readSamples(genericProfile, reread(translated(kind, bytes)).samples);
    for (const [name, series] of said.series) {
      const values = series.map(({ value }) => value).filter((value) => !Number.isNaN(value));
      expect([name, back.series.get(name)?.map(({ value }) => value) ?? []]).toEqual([name, values]);
    }
  },
);

test.each(pages)(
  'every series of %s (%s) stands once, carries the five labels, and is of a declared family',
  (kind, file) => {
    const families = translated(kind, fixture('engine-metrics', file));
    const keys = families.flatMap(({ samples }) =>
      samples.map(({ name, labels }) => JSON.stringify([name, ...Object.entries(labels).sort()])),
    );
    expect(new Set(keys).size).toBe(keys.length);
    for (const { name, samples } of families) {
      expect(samples.length).toBeGreaterThan(0);
      for (const sample of samples) {
        expect(sample.name.startsWith(name)).toBe(true);
        expect(sample.labels).toMatchObject({ engine_name: 'gpu-0', runtime_name: 'r', kind });
        expect(Object.keys(sample.labels).slice(0, 2)).toEqual(['model_name', 'engine']);
      }
    }
  },
);

test('unix times of creation are no tokens: `_created` is dropped', () => {
  const bytes = page(
    '# TYPE vllm:prompt_tokens_total counter',
    'vllm:prompt_tokens_total{engine="0",model_name="m"} 5.0',
    '# TYPE vllm:prompt_tokens_created gauge',
    'vllm:prompt_tokens_created{engine="0",model_name="m"} 1.7e+09',
  );
  expect(writeText(translated('vllm', bytes))).not.toContain('_created');
});

test('an engine without labels gets all of them: the model from its list, rank 0', () => {
  const text = writeText(translated('llama-cpp', page('llamacpp:requests_processing 2'), [model('tiny')]));
  expect(text).toContain(
    'vllm:num_requests_running{model_name="tiny",engine="0",engine_name="gpu-0",runtime_name="r",kind="llama-cpp"} 2\n',
  );
});

test.each([
  ['listed', 'listed', 'listed'],
  ['/models/weights', 'served', 'served'],
])('a page that names %s where %s is served is of model %s', (named, served, expected) => {
  const bytes = page(`vllm:num_requests_running{engine="0",model_name="${named}"} 1`);
  const families = translated('vllm', bytes, [model(served)]);
  expect(families[0]?.samples[0]?.labels['model_name']).toBe(expected);
});

test('without a model list the page has the word', () => {
  const bytes = page('vllm:num_requests_running{engine="0",model_name="x"} 1');
  expect(translated('vllm', bytes, [])[0]?.samples[0]?.labels['model_name']).toBe('x');
});

test('bounds are spelled one way, whatever the engine writes', () => {
  const bytes = page(
    'vllm:time_to_first_token_seconds_bucket{engine="0",le="1"} 1',
    'vllm:time_to_first_token_seconds_bucket{engine="0",le="+Inf"} 2',
    'vllm:time_to_first_token_seconds_count{engine="0"} 2',
    'vllm:time_to_first_token_seconds_sum{engine="0"} 3.5',
  );
  const text = writeText(translated('vllm', bytes));
  expect(text).toContain('le="1.0"} 1\n');
  expect(text).toContain('le="+Inf"} 2\n');
});

test('what the page lacks is not there, and NaN is not a value', () => {
  const names = translated(
    'vllm',
    page('vllm:num_requests_running{engine="0"} NaN', 'vllm:num_requests_waiting 1'),
  );
  expect(names.map(({ name }) => name)).toEqual(['vllm:num_requests_waiting']);
});

test("what a kind has beyond vLLM's names stays under its own", () => {
  const text = writeText(translated('strata', fixture('engine-metrics', 'synthetic-strata-vllm-form.prom')));
  expect(text).toMatch(/^strata:live_state\{model_name="m",engine="0",.*state="generating"\} \d/m);
});

test('labels of an engine cannot take the place of ours, and long ones are cut', () => {
  const bytes = page(
    `vllm:lora_requests_info{engine="0",kind="x",engine_name="y",running_lora_adapters="${'a'.repeat(5_000)}"} 1.7e9`,
  );
  const labels = translated('vllm', bytes)[0]?.samples[0]?.labels ?? {};
  expect(labels).toMatchObject({ kind: 'vllm', engine_name: 'gpu-0' });
  expect(labels['running_lora_adapters']?.length).toBe(512);
});

test('a page that Prometheus would refuse is not translated in part', () => {
  expect(() => translated('vllm', page('vllm:num_requests_running 1', 'x -nan'))).toThrow('line 2');
});

test('families of many engines stand under one head', () => {
  const bytes = fixture('engine-metrics', 'synthetic-vllm-v1-2026-core.prom');
  const two = ['a', 'b'].flatMap((name) => translated('vllm', bytes, [model('m')], name));
  const text = Buffer.concat([...pageChunks(two.map(renderFamily), 'text-0.0.4')]).toString();
  expect(text.match(/^# TYPE vllm:num_requests_running /gm)?.length).toBe(1);
  expect(text.match(/^vllm:num_requests_running\{/gm)?.length).toBe(2);
  expect(text).toBe(writeText(two));
});

test('a label without value does not make a series another one', () => {
  const bytes = page('vllm:cache_config_info{engine="0",x=""} 1', 'vllm:cache_config_info{engine="0"} 1');
  expect(translated('vllm', bytes)[0]?.samples.map(({ labels }) => Object.keys(labels))).toEqual([
    ['model_name', 'engine', 'engine_name', 'runtime_name', 'kind'],
  ]);
});

test('adapters are reduced to the newest of each rank', () => {
  const lora = (rank: string, adapters: string, time: string) =>
    `vllm:lora_requests_info{engine="${rank}",max_lora="4",running_lora_adapters="${adapters}",waiting_lora_adapters=""} ${time}`;
  const bytes = page(
    lora('0', 'a', '1.7e9'),
    lora('0', 'a,b', '1.8e9'),
    lora('0', '', '1.75e9'),
    lora('1', 'c', '1'),
  );
  expect(
    translated('vllm', bytes)[0]?.samples.map(({ labels, value }) => [
      labels['running_lora_adapters'],
      value,
    ]),
  ).toEqual([
    ['a,b', 1.8e9],
    ['c', 1],
  ]);
});

test('labels of processes are dropped, and what they told apart is combined as the catalogue says', () => {
  const [family] = profile('strata').own.filter(({ type, ranks }) => type === 'counter' && ranks === 'sum');
  const bytes = page(
    `${family?.name}{pid="7"} 2`,
    `${family?.name}{pid="8"} 3`,
    'vllm:cache_config_info{engine="0",WorkerId="x",NodeAddress="10.0.0.1",block_size="16"} 1',
  );
  const samples = translated('strata', bytes).flatMap((one) => one.samples);
  expect(samples.find(({ name }) => name === family?.name)?.value).toBe(5);
  for (const { labels } of samples) {
    expect(Object.keys(labels)).not.toEqual(expect.arrayContaining(['pid']));
    expect(Object.keys(labels)).not.toEqual(expect.arrayContaining(['WorkerId']));
  }
});

test('what neither catalogue nor profile knows is left out, the Python client among it', () => {
  const bytes = page(
    'vllm:num_requests_running{engine="0"} 1',
    'vllm:not_invented_yet 3',
    'python_gc_objects_collected_total{generation="0"} 4',
    'process_resident_memory_bytes 5',
    'http_requests_total{handler="/v1/models",method="GET",status="2xx"} 6',
  );
  expect(translated('vllm', bytes).map(({ name }) => name)).toEqual(['vllm:num_requests_running']);
});

test('a counter that fell falls here too: resets stay visible', () => {
  const values = ['10', '3'].map(
    (value) =>
      translated('vllm', page(`vllm:prompt_tokens_total{engine="0"} ${value}`))[0]?.samples[0]?.value,
  );
  expect(values).toEqual([10, 3]);
});

test('a page of several models keeps its word for each of them, whatever the list says', () => {
  const bytes = page(
    'vllm:num_requests_running{engine="0",model_name="a"} 1',
    'vllm:num_requests_running{engine="0",model_name="b"} 2',
  );
  const samples = translated('vllm', bytes, [model('b')])[0]?.samples ?? [];
  expect(samples.map(({ labels, value }) => [labels['model_name'], value])).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('a histogram of more buckets than one call can take is translated', () => {
  const name = 'vllm:time_to_first_token_seconds';
  const buckets = Array.from({ length: 150_000 }, (_, le) => `${name}_bucket{le="${le}.0"} 1`);
  const families = translated(
    'vllm',
    page(buckets.join('\n'), `${name}_bucket{le="+Inf"} 1`, `${name}_count 1`),
  );
  const found = families.find((family) => family.name === name);
  expect(found?.samples).toHaveLength(150_002);
  expect(found && renderFamily(found).lines.length).toBeGreaterThan(150_000 * 50);
});
