import { expect, test } from 'vitest';
import { collectingLog } from '../../test/kit/collecting-log.ts';
import { ManualClock, settle } from '../../test/kit/manual-clock.ts';
import { silentLog } from '../kit/log.ts';
import { ScrapeLoop, untilNextTurn } from './loop.ts';

function counted(clock: ManualClock, takesMs = 0) {
  const starts: number[] = [];
  let running = 0;
  let most = 0;
  const round = async (signal: AbortSignal): Promise<void> => {
    starts.push(clock.now());
    running += 1;
    most = Math.max(most, running);
    try {
      if (takesMs > 0) await clock.sleep(takesMs, signal);
    } finally {
      running -= 1;
    }
  };
  return { starts, round, running: () => running, most: () => most };
}

test('the first round is at once, the others each interval at the moment of the name', async () => {
  const clock = new ManualClock();
  const { starts, round } = counted(clock);
  const loop = new ScrapeLoop({ clock, log: silentLog, round }, { intervalMs: 1_000, name: 'gpu-0' });
  loop.start();
  await clock.advance(10_000);
  await loop.stop();
  expect(starts[0]).toBe(0);
  expect(starts.length).toBe(11);
  const phases = new Set(starts.slice(1).map((at) => Math.round(at % 1_000)));
  expect(phases.size).toBe(1);
});

test('a timer that fires early does not make two rounds of one', async () => {
  const clock = new ManualClock();
  const { starts, round } = counted(clock);
  const early = Object.assign(Object.create(clock) as ManualClock, {
    now: () => clock.now(),
    after: (ms: number, run: () => void) => clock.after(Math.trunc(ms) - 1, run),
  });
  const loop = new ScrapeLoop({ clock: early, log: silentLog, round }, { intervalMs: 1_000, name: 'gpu-0' });
  loop.start();
  await clock.advance(10_000);
  await loop.stop();
  expect(starts.length).toBe(11);
});

test('many engines are spread over the interval', () => {
  const moments = Array.from({ length: 1_000 }, (_, at) =>
    untilNextTurn({ intervalMs: 1_000, name: `engine-${at}` }, 0),
  );
  const tenths = new Map<number, number>();
  for (const at of moments) tenths.set(Math.floor(at / 100), (tenths.get(Math.floor(at / 100)) ?? 0) + 1);
  for (const count of tenths.values()) expect(count).toBeGreaterThan(60);
});

test('the next turn is never now and never beyond one interval', () => {
  for (let now = 0; now < 3_000; now += 7.3) {
    const wait = untilNextTurn({ intervalMs: 1_000, name: 'x' }, now);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(1_000);
  }
});

test('a round longer than the interval skips turns and never overlaps', async () => {
  const clock = new ManualClock();
  const { starts, round, most } = counted(clock, 2_500);
  const loop = new ScrapeLoop({ clock, log: silentLog, round }, { intervalMs: 1_000, name: 'slow' });
  loop.start();
  await clock.advance(12_000);
  await loop.stop();
  expect(most()).toBe(1);
  expect(starts.length).toBeGreaterThanOrEqual(4);
  expect(starts.length).toBeLessThanOrEqual(5);
});

test('a round that fails is logged and the loop goes on', async () => {
  const clock = new ManualClock();
  const log = collectingLog();
  let rounds = 0;
  const round = (): Promise<void> => {
    rounds += 1;
    return Promise.reject(new Error('odd'));
  };
  const loop = new ScrapeLoop({ clock, log, round }, { intervalMs: 1_000, name: 'x' });
  loop.start();
  await clock.advance(3_000);
  await loop.stop();
  expect(rounds).toBe(4);
  expect(log.lines[0]).toMatchObject({ level: 'error', fields: { reason: 'odd' } });
});

test('stop ends the round that runs and resolves when it has ended', async () => {
  const clock = new ManualClock();
  const { round, running } = counted(clock, 60_000);
  const loop = new ScrapeLoop({ clock, log: silentLog, round }, { intervalMs: 1_000, name: 'x' });
  loop.start();
  await settle();
  expect(running()).toBe(1);
  await loop.stop();
  expect(running()).toBe(0);
  expect(clock.sleeping).toBe(0);
});

test('stop waits for a round that does not heed its signal', async () => {
  let end = (): void => {};
  const round = (): Promise<void> =>
    new Promise((resolve) => {
      end = resolve;
    });
  const loop = new ScrapeLoop(
    { clock: new ManualClock(), log: silentLog, round },
    { intervalMs: 1, name: 'x' },
  );
  loop.start();
  let stopped = false;
  const stop = loop.stop().then(() => {
    stopped = true;
  });
  await settle();
  expect(stopped).toBe(false);
  end();
  await stop;
});

test('it can be started again, and starting twice is one loop', async () => {
  const clock = new ManualClock();
  const { starts, round } = counted(clock);
  const loop = new ScrapeLoop({ clock, log: silentLog, round }, { intervalMs: 1_000, name: 'x' });
  loop.start();
  loop.start();
  await settle();
  await loop.stop();
  loop.start();
  await settle();
  await loop.stop();
  expect(starts.length).toBe(2);
});
