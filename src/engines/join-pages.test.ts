import { expect, test } from 'vitest';
import { parseExposition } from '../exposition/parse.ts';
import { joinPages } from './join-pages.ts';
import { llamaCppRouter } from './llama-cpp-router.ts';
import { readSamples } from './read.ts';
import { readSignals } from './signals.ts';

const page = (...lines: readonly string[]) =>
  parseExposition(new TextEncoder().encode(`${lines.join('\n')}\n`), 'text-0.0.4');

test('pages of two models become one: a family once, each series with its model', () => {
  const text = joinPages(
    [
      { model: 'a', page: page('# TYPE x counter', 'x 1', '# TYPE y gauge', 'y{k="v"} 2') },
      { model: 'b"c', page: page('# TYPE x counter', 'x 5') },
    ],
    'model',
  );
  expect(text).toBe(
    '# TYPE x counter\nx{model="a"} 1\nx{model="b\\"c"} 5\n# TYPE y gauge\ny{k="v",model="a"} 2\n',
  );
});

test('a histogram stays whole, and what no TYPE line declares is untyped', () => {
  const text = joinPages(
    [
      {
        model: 'a',
        page: page('# TYPE h histogram', 'h_bucket{le="+Inf"} 2', 'h_sum 3', 'h_count 2', 'z 1'),
      },
    ],
    'model',
  );
  expect(text).toContain('# TYPE h histogram\nh_bucket{le="+Inf",model="a"} 2\nh_sum{model="a"} 3\n');
  expect(text).toContain('# TYPE z untyped\nz{model="a"} 1\n');
});

test('two loaded models of a router are one engine: what runs adds up, and each keeps its own series', () => {
  const one = (running: number, tokens: number) =>
    page(
      `llamacpp:requests_processing ${running}`,
      'llamacpp:requests_deferred 1',
      `llamacpp:prompt_tokens_total ${tokens}`,
      `llamacpp:n_decode_total ${tokens}`,
    );
  const text = joinPages(
    [
      { model: 'tiny', page: one(2, 10) },
      { model: 'large', page: one(1, 100) },
    ],
    'model',
  );
  const { samples } = parseExposition(new TextEncoder().encode(text), 'text-0.0.4');
  expect(readSignals(llamaCppRouter, samples)).toMatchObject({
    running: 3,
    waiting: 2,
    promptTokens: 110,
    progress: 110,
  });
  const { series, modelName } = readSamples(llamaCppRouter, samples);
  expect(modelName).toBe('tiny');
  expect(series.get('vllm:num_requests_running')).toEqual([
    { labels: { engine: '0' }, value: 2 },
    { labels: { engine: '0', model_name: 'large' }, value: 1 },
  ]);
});
