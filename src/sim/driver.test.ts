import { expect, test } from 'vitest';

import { pageOfSim, totalOf, virtualSim, work } from '../../test/kit/sim.ts';
import type { Generation, GenerationEvent } from './driver.ts';
import { stepTimeMs } from './model/step-time.ts';

function collect(generation: Generation): { events: GenerationEvent[]; done: Promise<void> } {
  const events: GenerationEvent[] = [];
  const done = (async () => {
    for await (const event of generation.events) events.push(event);
  })();
  return { events, done };
}

test.each([1, 10])(
  'a lone request has its first token after its prefill and no sooner, at speed %d',
  async (speed) => {
    const { clock, sim } = virtualSim({ speed });
    const prefillMs =
      stepTimeMs(sim.profile, {
        sequences: 1,
        tokens: 4000,
        decodeContextTokens: 0,
        prefillPairs: 4000 * 2000,
      }) / speed;
    const generation = await sim.driver.submit(work(4000, 3));
    const { events } = collect(generation);

    await clock.advance(prefillMs - 0.01);
    expect(events).toEqual([]);
    expect(totalOf(pageOfSim(sim), 'vllm:time_to_first_token_seconds_count')).toBe(0);
    await clock.advance(0.02);
    expect(events.map(({ type }) => type)).toEqual(['prefilled', 'tokens']);
    expect(generation.life.firstTokenMs).toBeCloseTo(prefillMs, 6);
    const page = pageOfSim(sim);
    expect(totalOf(page, 'vllm:time_to_first_token_seconds_count')).toBe(1);
    expect(totalOf(page, 'vllm:time_to_first_token_seconds_sum')).toBeCloseTo(prefillMs / 1000, 9);
  },
);

test('an idle engine sets no timer', async () => {
  const { clock, sim } = virtualSim({});
  expect(clock.sleeping).toBe(0);
  const { done } = collect(await sim.driver.submit(work(100, 5)));
  expect(clock.sleeping).toBe(1);
  await clock.advance(1000);
  await done;
  expect(clock.sleeping).toBe(0);
});

test('an aborted request is gone with the next step, and its place goes to who waits', async () => {
  const { clock, sim } = virtualSim({ maxNumSeqs: 1 });
  const first = await sim.driver.submit(work(100, 1000));
  const second = await sim.driver.submit(work(100, 1000));
  const { events, done } = collect(first);
  collect(second);
  await clock.advance(50);
  expect(totalOf(pageOfSim(sim), 'vllm:num_requests_running')).toBe(1);
  expect(totalOf(pageOfSim(sim), 'vllm:num_requests_waiting')).toBe(1);
  expect(sim.driver.inFlight()).toEqual([2]);

  first.abort();
  await clock.advance(20);
  await done;
  expect(events.at(-1)).toMatchObject({ type: 'finished', reason: 'abort' });
  expect(sim.driver.inFlight()).toEqual([1]);
  const page = pageOfSim(sim);
  expect(totalOf(page, 'vllm:num_requests_running')).toBe(1);
  expect(totalOf(page, 'vllm:num_requests_waiting')).toBe(0);
  expect(totalOf(page, 'vllm:request_success_total', { finished_reason: 'abort' })).toBe(1);
});

test('the last request aborted leaves the engine idle, its cache free and its gauges at zero', async () => {
  const { clock, sim } = virtualSim({});
  const only = await sim.driver.submit(work(1000, 1000));
  await clock.advance(200);
  only.abort();
  only.abort();
  await clock.advance(50);
  expect(clock.sleeping).toBe(0);
  const page = pageOfSim(sim);
  expect(totalOf(page, 'vllm:num_requests_running')).toBe(0);
  expect(totalOf(page, 'vllm:kv_cache_usage_perc')).toBe(0);
});

test('requests go to the rank with the fewest', async () => {
  const { clock, sim } = virtualSim({ ranks: 3 });
  const lives = [];
  for (let count = 0; count < 7; count += 1) lives.push((await sim.driver.submit(work(50, 500))).life);
  expect(sim.driver.inFlight()).toEqual([3, 2, 2]);
  await clock.advance(100);
  expect(totalOf(pageOfSim(sim), 'vllm:num_requests_running', { engine: '0' })).toBe(3);
  expect(lives.map(({ rank }) => rank)).toEqual([0, 1, 2, 0, 1, 2, 0]);
});

test('a prompt that begins like an earlier one finds its blocks', async () => {
  const { clock, sim } = virtualSim({});
  const blocks = [11, 12, 13];
  await sim.driver.submit(work(50, 2, { promptBlocks: blocks }));
  await clock.advance(100);
  const again = await sim.driver.submit(work(60, 2, { promptBlocks: [...blocks, 99] }));
  await clock.advance(100);
  expect(again.life.cachedTokens).toBe(48);
  expect(totalOf(pageOfSim(sim), 'vllm:prefix_cache_hits_total')).toBe(48);
});

test('stopping ends every request with an error and leaves no timer', async () => {
  const { clock, sim } = virtualSim({});
  const { done } = collect(await sim.driver.submit(work(100, 1000)));
  const failed = expect(done).rejects.toThrow('stopped');
  await clock.advance(20);
  await sim.driver.stop();
  await failed;
  expect(clock.sleeping).toBe(0);
  const late = await sim.driver.submit(work(1, 1));
  await expect(collect(late).done).rejects.toThrow('stopped');
});
