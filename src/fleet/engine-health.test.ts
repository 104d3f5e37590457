import { expect, test } from 'vitest';

import { signalsOf } from '../../test/kit/engine-view.ts';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import type { Engine } from './engine.ts';
import { Fleet } from './fleet.ts';
import type { ScrapeReport } from './scrape-report.ts';

function add(fleet: Fleet, name = 'a'): Engine {
  return fleet.add({
    name,
    url: `http://${name}`,
    kind: undefined,
    runtime: undefined,
    key: undefined,
    metrics: undefined,
  });
}

function made(): { clock: ManualClock; fleet: Fleet; engine: Engine } {
  const clock = new ManualClock();
  const fleet = new Fleet({ clock });
  const engine = add(fleet);
  engine.reportAlive(clock.now());
  return { clock, fleet, engine };
}

function page(clock: ManualClock, generationTokens = 0): ScrapeReport {
  return {
    startedAt: clock.now(),
    page: { bytes: new Uint8Array(), format: 'text-0.0.4', at: clock.now() },
    signals: signalsOf({ generationTokens }),
    contract: 'complete',
    missing: [],
    problem: undefined,
  };
}

async function misses(clock: ManualClock, engine: Engine, count: number): Promise<void> {
  for (let miss = 0; miss < count; miss += 1) {
    await clock.advance(1_000);
    engine.reportMiss('refused', 'connect ECONNREFUSED');
  }
}

test('when an engine is down, the requests that wait for it are given up at once, each once told why', async () => {
  const { clock, engine } = made();
  const lost: string[] = [];
  engine.begin((why) => lost.push(why));
  await misses(clock, engine, 2);
  expect(lost).toEqual([]);
  await misses(clock, engine, 1);
  expect(lost).toEqual(['connect ECONNREFUSED']);
});

test('a stream that still brings something is not given up, and is once it falls silent for as long', async () => {
  const { clock, engine } = made();
  let lost = 0;
  const stream = engine.begin(() => {
    lost += 1;
  });
  for (let round = 0; round < 5; round += 1) {
    await misses(clock, engine, 1);
    stream.heard();
  }
  expect([engine.view().health, lost]).toEqual(['down', 0]);
  await misses(clock, engine, 2);
  expect(lost).toBe(0);
  await misses(clock, engine, 2);
  expect(lost).toBe(1);
});

test('a request that came between the misses is given up as many misses later', async () => {
  const { clock, engine } = made();
  await misses(clock, engine, 2);
  let lost = 0;
  await clock.advance(500);
  engine.begin(() => {
    lost += 1;
  });
  await misses(clock, engine, 2);
  expect(lost).toBe(0);
  await misses(clock, engine, 1);
  expect(lost).toBe(1);
});

test('what is over is not given up', async () => {
  const { clock, engine } = made();
  let lost = 0;
  engine
    .begin(() => {
      lost += 1;
    })
    .end();
  await misses(clock, engine, 5);
  expect(lost).toBe(0);
});

test('an engine whose page comes and whose health path refuses is down, and its page is still shown', async () => {
  const { clock, engine } = made();
  for (let round = 0; round < 3; round += 1) {
    await clock.advance(5_000);
    engine.reportRefusal('GET /health answered 503');
    engine.reportScrape(page(clock));
  }
  expect(engine.view()).toMatchObject({ health: 'down', contract: 'complete' });
  expect([engine.page === undefined, engine.contact.reason]).toEqual([false, 'GET /health answered 503']);
  engine.reportHealthy();
  expect(engine.view().health).toBe('up');
});

test('an engine that was there from the start has its full share; one that comes back grows into it', async () => {
  const { clock, engine } = made();
  expect(engine.view().share).toBe(1);
  await misses(clock, engine, 3);
  engine.reportScrape(page(clock));
  expect([engine.view().health, engine.view().share]).toEqual(['up', 0.1]);
  await clock.advance(15_000);
  expect(engine.view().share).toBe(0.5);
  await clock.advance(15_000);
  expect(engine.view().share).toBe(1);
});

test('one miss makes nobody start slowly', async () => {
  const { clock, engine } = made();
  await misses(clock, engine, 1);
  engine.reportScrape(page(clock));
  expect(engine.view().share).toBe(1);
});

test('a process that began anew, or loads, or came later than the fleet, starts slowly', async () => {
  const { clock, fleet, engine } = made();
  engine.reportScrape(page(clock, 100));
  engine.reportScrape(page(clock, 5));
  expect(engine.view().share).toBe(0.1);

  const loading = add(fleet, 'b');
  loading.reportLoading('Loading model');
  loading.reportScrape(page(clock));
  expect(loading.view().health).toBe('loading');
  loading.reportHealthy();
  expect(loading.view()).toMatchObject({ health: 'up', share: 0.1 });

  await clock.advance(31_000);
  const late = add(fleet, 'c');
  expect(late.view()).toMatchObject({ health: 'unknown', share: 1 });
  late.reportScrape(page(clock));
  expect(late.view()).toMatchObject({ health: 'up', share: 0.1 });
});

test('faults are counted by cause and open the breaker; a good answer closes it, and its share grows anew', async () => {
  const { clock, engine } = made();
  for (let count = 0; count < 5; count += 1) {
    const request = engine.begin();
    request.faulted(count === 0 ? 'died' : 'server_error');
    request.end();
  }
  expect([...engine.faults]).toEqual([
    ['died', 1],
    ['server_error', 4],
  ]);
  expect(engine.view()).toMatchObject({ breaker: 'open', breakerAdmits: false, health: 'up' });
  await clock.advance(5_000);
  expect(engine.view()).toMatchObject({ breaker: 'half-open', breakerAdmits: true, share: 1 });
  const probe = engine.begin();
  expect(engine.view()).toMatchObject({ breaker: 'half-open', breakerAdmits: false });
  probe.answered();
  expect(engine.view()).toMatchObject({ breaker: 'closed', breakerAdmits: true, share: 0.1 });
});

test('an engine that was down and is back may be tried at once, whatever its breaker says', async () => {
  const { clock, engine } = made();
  for (let count = 0; count < 5; count += 1) engine.begin().faulted('unreachable');
  await misses(clock, engine, 3);
  engine.reportScrape(page(clock));
  expect(engine.view()).toMatchObject({ health: 'up', breaker: 'half-open', breakerAdmits: true });
});
