import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { detectKind, evidenceOfPage } from '../../engines/detect.ts';
import { profiles } from '../../engines/index.ts';
import { withOverrides } from '../../engines/override.ts';
import { profileIn } from '../../engines/profile-set.ts';
import { readSignals } from '../../engines/signals.ts';
import { parseExposition } from '../../exposition/parse.ts';
import type { Config } from '../config.ts';
import { loadConfig } from '../load.ts';

const KINDS = profiles.map(({ kind }) => kind).join(', ');

function load(kinds: string, engine = ''): Promise<Config> {
  const yaml = `engines: [{ url: "http://h:8000"${engine} }]\nkinds:\n${kinds}`;
  return loadConfig('p.yaml', { env: {}, readFile: () => Promise.resolve(yaml) });
}

async function complaint(kinds: string, engine?: string): Promise<string> {
  const error = await load(kinds, engine).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'UsageError' });
  return error instanceof Error ? error.message : '';
}

const PAGE = `# TYPE my_requests gauge
my_requests{model_id="m",state="running"} 3
my_requests{model_id="m",state="queued"} 2
my_requests{model_id="m",state="paused"} 1
my_requests{model_id="m",state="done"} 100
my_cache_percent{model_id="m"} 37.5
my_tokens_in_total{model_id="m"} 1000
my_tokens_cached_total{model_id="m"} 200
my_tokens_out_total{model_id="m"} 500
my_steps_total 77
my_done_total{model_id="m",why="eos"} 5
my_done_total{model_id="m",why="limit"} 4
my_done_total{model_id="m",why="fire"} 1
my_cache_blocks 100
my_block_tokens 16
# TYPE my_first_token_ms histogram
my_first_token_ms_bucket{le="250"} 4
my_first_token_ms_bucket{le="+Inf"} 10
my_first_token_ms_sum 5000
my_first_token_ms_count 10
`;

test("the example's own engine is read by what the file says of it", async () => {
  const file = join(import.meta.dirname, '../../../examples/override.yaml');
  const config = await loadConfig(file, { env: {}, readFile: (path) => readFile(path, 'utf8') });
  expect(config.engines[0]?.kind).toBe('my-engine');
  const set = withOverrides(profiles, config.kinds);
  const mine = profileIn(set, 'my-engine');
  const page = parseExposition(new TextEncoder().encode(PAGE), 'text-0.0.4');
  expect(mine && readSignals(mine, page.samples)).toMatchObject({
    running: 3,
    waiting: 3,
    kvUsage: 0.375,
    kvCapacityTokens: 1600,
    promptTokens: 1200,
    generationTokens: 500,
    successes: 10,
    progress: 77,
    preemptions: undefined,
  });
  expect(mine?.families['vllm:time_to_first_token_seconds']).toEqual({
    names: ['my_first_token_ms'],
    scale: 0.001,
  });
  expect(mine?.metrics?.path).toBe('/stats');
  expect(detectKind(evidenceOfPage(page), set).certainty).toBe('none');
});

test('every form becomes the supply that profiles have', async () => {
  const { kinds } = await load(`  vllm:
    title: Ours
    metrics: { path: "/m?format=prometheus" }
    health: { path: /up }
    models: { path: /list }
    rankLabel: dp
    families:
      "vllm:kv_cache_usage_perc": { ratio: [{ names: [used] }, { names: [all] }] }
      "vllm:prompt_tokens_by_source_total":
        each: [{ names: [a], constant: { source: local_compute } }]
      "vllm:prefix_cache_hits_total": { sameAs: "vllm:prompt_tokens_cached_total", onlyWith: "vllm:prompt_tokens_total" }
      "vllm:num_requests_running": { names: [h], part: count, type: histogram, scale: 2, optional: true }
`);
  expect(kinds).toEqual([
    {
      kind: 'vllm',
      like: undefined,
      title: 'Ours',
      metrics: { path: '/m', query: 'format=prometheus' },
      healthPath: '/up',
      modelsPath: '/list',
      rankLabel: 'dp',
      modelLabels: undefined,
      progress: undefined,
      families: {
        'vllm:kv_cache_usage_perc': { ratio: [{ names: ['used'] }, { names: ['all'] }] },
        'vllm:prompt_tokens_by_source_total': {
          each: [{ names: ['a'], constant: { source: 'local_compute' } }],
        },
        'vllm:prefix_cache_hits_total': {
          sameAs: 'vllm:prompt_tokens_cached_total',
          onlyWith: 'vllm:prompt_tokens_total',
        },
        'vllm:num_requests_running': { names: ['h'], part: 'count', scale: 2, optional: true },
      },
    },
  ]);
});

const F = 'p.yaml:3:23: kinds.mine.families["vllm:kv_cache_usage_perc"]';
const kv = (source: string): string => `  mine: { families: { "vllm:kv_cache_usage_perc": ${source} } }`;
const family = (name: string, source: string): string => `  mine: { families: { "${name}": ${source} } }`;

test.each<[what: string, kinds: string, message: string | RegExp]>([
  [
    'an unknown family',
    family('vllm:num_request_running', '{ names: [a] }'),
    'kinds.mine.families["vllm:num_request_running"]: no family has this name; did you mean "vllm:num_requests_running"?',
  ],
  [
    'a counter without _total',
    family('vllm:prompt_tokens', '{ names: [a] }'),
    'no family has this name; did you mean "vllm:prompt_tokens_total"?',
  ],
  [
    'the old name of a family',
    family('vllm:gpu_cache_usage_perc', '{ names: [a] }'),
    'no family has this name any more: it is the old name of vllm:kv_cache_usage_perc; write that one',
  ],
  [
    'the old name of a counter without _total',
    family('vllm:gpu_prefix_cache_hits', '{ names: [a] }'),
    'it is the old name of vllm:prefix_cache_hits_total',
  ],
  [
    'the old name of two families',
    family('vllm:kv_offload_total_bytes_total', '{ names: [a] }'),
    'it is the old name of vllm:kv_offload_load_bytes_total and vllm:kv_offload_store_bytes_total; write those',
  ],
  [
    'a family like none',
    family('cpu_seconds', '{ names: [a] }'),
    "no family has this name; allowed are vLLM's current names, as docs/reference/metrics.md has them",
  ],
  [
    'a misspelled key of a source',
    kv('{ names: [a], scael: 2 }'),
    'kinds.mine.families["vllm:kv_cache_usage_perc"].scael: no such key; did you mean "scale"? allowed in',
  ],
  [
    'a misspelled key of a kind',
    '  mine: { lik: vllm }',
    'kinds.mine.lik: no such key; did you mean "like"? allowed in kinds.mine: like, title, metrics, health, models, rankLabel, modelLabels, progress, families',
  ],
  [
    'a misspelled key of a part',
    kv('{ ratio: [{ names: [a] }, { name: [b] }] }'),
    '.ratio[1].name: no such key; did you mean "names"?',
  ],
  [
    'a base that is none',
    '  mine: { like: vlm }',
    `kinds.mine.like: found "vlm"; did you mean "vllm"? allowed: ${KINDS}`,
  ],
  [
    'a base of a built-in kind',
    '  sglang: { like: vllm }',
    'kinds.sglang.like: sglang is built in: leave "like" out to change it, or give your kind a name of its own',
  ],
  ['the name of the unknown', '  generic: {}', 'kinds.generic: is what an unknown engine is called'],
  ['a kind with a slash', '  a/b: {}', 'kinds["a/b"]: as a name: a name has 1 to 63 letters'],
  ['an empty kind', '  mine:', 'kinds.mine: found nothing; expected a section of keys'],
  [
    "a unit that cannot become the family's",
    family('vllm:time_to_first_token_seconds', '{ names: [a], unit: tokens }'),
    'kinds.mine.families["vllm:time_to_first_token_seconds"].unit: vllm:time_to_first_token_seconds is in seconds, and tokens cannot become that; allowed: seconds, s, milliseconds, ms, microseconds, us, nanoseconds, ns, minutes (where you know the factor, leave "unit" out and give "scale")',
  ],
  [
    'a misspelled unit',
    family('vllm:time_to_first_token_seconds', '{ names: [a], unit: milisecond }'),
    'found "milisecond"; did you mean "milliseconds"? vllm:time_to_first_token_seconds is in seconds, and allowed are: seconds, s,',
  ],
  [
    'percent that stays percent',
    kv('{ names: [a], unit: percent, scale: 1 }'),
    '.scale: found 1, but percent becomes ratio by 0.01; leave "scale" out, or "unit"',
  ],
  [
    'a scale of nothing',
    kv('{ names: [a], scale: 0 }'),
    '.scale: found the number 0; expected a number above 0',
  ],
  [
    'a gauge for a histogram',
    family('vllm:e2e_request_latency_seconds', '{ names: [a], type: gauge }'),
    '.type: vllm:e2e_request_latency_seconds is a histogram, which a gauge cannot become; allowed: histogram, summary',
  ],
  [
    'a part for a histogram',
    family('vllm:e2e_request_latency_seconds', '{ names: [a], part: sum }'),
    '.part: vllm:e2e_request_latency_seconds is a histogram, and one part of another is none',
  ],
  [
    'a whole histogram for a gauge',
    kv('{ names: [a], type: histogram }'),
    'is a gauge, which a whole histogram cannot become; say which of its numbers is meant: "part: sum" or "part: count"',
  ],
  ['a part of a gauge', kv('{ names: [a], type: gauge, part: sum }'), '.part: a gauge has no parts'],
  [
    'the series of a histogram',
    family('vllm:e2e_request_latency_seconds', '{ names: [a_bucket] }'),
    '.names[0]: found "a_bucket"; name the histogram itself: "a"',
  ],
  [
    'a label the family does not have',
    family('vllm:request_success_total', '{ names: [a], labels: { finish_reason: { from: why } } }'),
    '.labels.finish_reason: vllm:request_success_total has no label "finish_reason"; did you mean "finished_reason"? it has: finished_reason',
  ],
  [
    'a label of a family without any',
    kv('{ names: [a], constant: { tier: gpu } }'),
    '.constant.tier: vllm:kv_cache_usage_perc has no labels of its own',
  ],
  [
    'the rank as a label of one family',
    kv('{ names: [a], labels: { engine: { from: dp } } }'),
    '.labels.engine: is a label of every series: say where the page has it with "rankLabel" of the kind',
  ],
  [
    'a reason that is none',
    family(
      'vllm:request_success_total',
      '{ names: [a], labels: { finished_reason: { from: why, values: { x: stopp } } } }',
    ),
    '.labels.finished_reason.values.x: found "stopp"; did you mean "stop"? allowed: stop, length, abort, error',
  ],
  [
    'a page label that is none',
    kv('{ names: [a], where: { "tp-rank": "0" } }'),
    '.where.tp-rank: as a name: a label name has letters, digits and underscores',
  ],
  [
    'a label value that YAML takes for a number',
    kv('{ names: [a], where: { rank: 0 } }'),
    '.where.rank: found the number 0; expected a text or a list of texts; a number needs quotes',
  ],
  [
    'a metric name that is none',
    kv('{ names: ["my gauge"] }'),
    '.names[0]: found "my gauge"; a metric name has letters, digits, underscores and colons',
  ],
  [
    'no form',
    kv('{ scale: 2 }'),
    `${F}: does not say where it stands; give one of: names, sum, each, ratio, info, sameAs, missing`,
  ],
  ['two forms', kv('{ names: [a], missing: no }'), '.missing: stands beside "names"; keep one of the two'],
  [
    'a key of a source beside a sum',
    kv('{ sum: [{ names: [a] }], scale: 2 }'),
    '.scale: stands beside "sum"; give it to each of its sources',
  ],
  [
    'a key beside missing',
    kv('{ missing: no, optional: true }'),
    '.optional: means nothing beside "missing"',
  ],
  [
    'a condition beside names',
    kv('{ names: [a], onlyWith: b }'),
    '.onlyWith: means something beside "sameAs" only',
  ],
  [
    'a quotient of tokens',
    family('vllm:prompt_tokens_total', '{ ratio: [{ names: [a] }, { names: [b] }] }'),
    '.ratio: vllm:prompt_tokens_total is in tokens, and a quotient is a ratio',
  ],
  [
    'a quotient of unlike things',
    kv('{ ratio: [{ names: [a], unit: blocks }, { names: [b], unit: bytes }] }'),
    '.ratio: blocks over bytes is no share of anything',
  ],
  [
    'half a quotient',
    kv('{ ratio: [{ names: [a] }] }'),
    '.ratio: found 1 of them; expected two sources: the part and the whole',
  ],
  [
    'an info that is a number',
    kv('{ info: { x: { names: [a] } } }'),
    '.info: vllm:kv_cache_usage_perc is a number and no info family',
  ],
  [
    'the figure of a family of another sort',
    kv('{ sameAs: "vllm:prompt_tokens_total" }'),
    '.sameAs: vllm:kv_cache_usage_perc is a gauge in ratio, vllm:prompt_tokens_total a counter in tokens',
  ],
  [
    'the figure of a family that is none',
    kv('{ sameAs: "vllm:kv_cache_usage" }'),
    '.sameAs: no family has this name; did you mean "vllm:kv_cache_usage_perc"?',
  ],
  [
    'a circle, part of which is built in',
    '  sglang: { families: { "vllm:prompt_tokens_cached_total": { sameAs: "vllm:prefix_cache_hits_total" } } }',
    'takes its figure from itself: vllm:prompt_tokens_cached_total -> vllm:prefix_cache_hits_total -> vllm:prompt_tokens_cached_total',
  ],
  [
    'a path without slash',
    '  mine: { metrics: { path: stats } }',
    'kinds.mine.metrics.path: found "stats"; expected a path that starts with "/"',
  ],
])('%s is refused with its place and what is allowed', async (_what, kinds, message) => {
  expect(await complaint(kinds)).toContain(message);
});

test('an engine may be of a kind of the file, and a misspelled one is told which', async () => {
  const config = await load('  my-engine: { like: vllm }', ', kind: my-engine');
  expect(config.engines[0]?.kind).toBe('my-engine');
  expect(await complaint('  my-engine: { like: vllm }', ', kind: my-engin')).toContain(
    `engines[0].kind: found "my-engin"; did you mean "my-engine"? allowed: ${KINDS}, my-engine`,
  );
});
