import { expect, test } from 'vitest';
import { watchedEngine } from '../../test/kit/watched-engine.ts';

const page = (tokens: number, more = '') =>
  `vllm:num_requests_running 0\nvllm:num_requests_waiting 0\nvllm:generation_tokens_total ${tokens}\n${more}`;
const vllm = (metrics: string) => ({
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"m","owned_by":"vllm"}]}',
  '/metrics': metrics,
});
/** The fast read passes over it. */
const WRONG_LINE = 'cpu_load -nan\n';

test('a page that was malformed for long is read whole every half minute, and malformed in between', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine(vllm(page(1, WRONG_LINE)));
  await clock.advance(120_000);
  expect(engine.view().contract).toBe('malformed');
  // Whole reads come 30 s apart by now; which of the seconds it is this test must not know.
  let goneAfterS = 0;
  reply(vllm(page(1)));
  for (; goneAfterS < 60 && engine.view().contract === 'malformed'; goneAfterS += 1)
    await clock.advance(1_000);
  expect(goneAfterS).toBeGreaterThan(1);
  expect(goneAfterS).toBeLessThanOrEqual(31);
  expect(engine.problem).toBeUndefined();
  await scraper.stop();
});

test('between two whole reads its signals are read on, and its problem stays said', async () => {
  const { clock, engine, reply, scraper } = await watchedEngine(vllm(page(1, WRONG_LINE)));
  await clock.advance(60_000);
  const { problem } = engine;
  for (let tokens = 2; tokens < 30; tokens += 1) {
    reply(vllm(page(tokens, WRONG_LINE)));
    await clock.advance(1_000);
    expect(engine.view()).toMatchObject({ contract: 'malformed', signals: { generationTokens: tokens } });
  }
  expect(problem).toMatch(/^line 4, /);
  expect(engine.problem).toBe(problem);
  await scraper.stop();
});

test('an engine whose counter falls at every scrape is looked at ever more seldom', async () => {
  const { asked, clock, engine, reply, scraper } = await watchedEngine(vllm(page(1_000)));
  for (let second = 1; second <= 120; second += 1) {
    reply(vllm(page(1_000 - second)));
    await clock.advance(1_000);
  }
  expect(engine.counts.restarts).toBeGreaterThanOrEqual(119);
  expect(asked('/version')).toBeGreaterThan(5);
  expect(asked('/version')).toBeLessThan(15);
  await scraper.stop();
});
