import { expect, test } from 'vitest';
import type { Signals } from '../engines/signals.ts';
import { freshProgress, observeProgress, type Progress, probeAllowed } from './progress.ts';

function said(over: Partial<Signals>): Signals {
  return { running: 1, waiting: 0, ...over } as Signals;
}

/** One scrape a second, with so many of our requests there. */
function observe(
  scrapes: number,
  over: Partial<Signals>,
  ours = 0,
  before: Progress = freshProgress(0),
): Progress {
  let progress = before;
  for (let scrape = 1; scrape <= scrapes; scrape += 1) {
    progress = observeProgress(progress, said(over), ours, before.movedAt + scrape * 1_000);
  }
  return progress;
}

test('claimed work that does not move over five scrapes after the first is stuck', () => {
  expect(observe(5, { progress: 7 }).stuck).toBe(false);
  expect(observe(6, { progress: 7 }).stuck).toBe(true);
});

test('however often it is scraped, five seconds must pass', () => {
  let progress = freshProgress(0);
  for (let at = 100; at < 5_100; at += 100)
    progress = observeProgress(progress, said({ progress: 7 }), 0, at);
  expect(progress.stuck).toBe(false);
  expect(observeProgress(progress, said({ progress: 7 }), 0, 5_100).stuck).toBe(true);
});

test('another counter that moves is work done', () => {
  expect(observe(1, { progress: 7, promptTokens: 5 }, 0, observe(6, { progress: 7 })).stuck).toBe(false);
});

test('waiting alone is claimed work', () => {
  expect(observe(6, { running: 0, waiting: 2, progress: 7 }).stuck).toBe(true);
});

test('an idle engine is never stuck', () => {
  expect(observe(500, { running: 0, progress: 7 }).stuck).toBe(false);
});

test('an engine that says nothing of its load is never stuck', () => {
  expect(observe(500, { running: undefined, waiting: undefined, progress: 7 }).stuck).toBe(false);
});

test('movement of the progress counter ends it', () => {
  expect(observe(1, { progress: 8 }, 0, observe(6, { progress: 7 })).stuck).toBe(false);
});

test('the gauges do not count as movement where there is a progress counter', () => {
  const stuck = observe(6, { progress: 7 });
  expect(observe(1, { running: 2, progress: 7 }, 0, stuck).stuck).toBe(true);
});

test('going idle ends it', () => {
  expect(observe(1, { running: 0, progress: 7 }, 0, observe(6, { progress: 7 })).stuck).toBe(false);
});

test('while something of ours is there nothing is called stuck, and the count begins anew after it', () => {
  const held = observe(20, { progress: 7 }, 1);
  expect(held.stuck).toBe(false);
  expect(observe(4, { progress: 7 }, 0, held).stuck).toBe(false);
  expect(observe(5, { progress: 7 }, 0, held).stuck).toBe(true);
});

test('a flag that is set stays while a probe of ours is there', () => {
  expect(observe(3, { progress: 7 }, 1, observe(6, { progress: 7 })).stuck).toBe(true);
});

test('without a progress counter two minutes without any change are stuck', () => {
  expect(observe(120, {}).stuck).toBe(false);
  expect(observe(121, {}).stuck).toBe(true);
});

test('without a progress counter any change of the page is movement', () => {
  const still = observe(100, { promptTokens: 1 });
  expect(observe(1, { promptTokens: 2 }, 0, still).movedAt).toBe(still.movedAt + 1_000);
});

test('without a progress counter time that our own request took is not held against the engine', () => {
  expect(observe(1, {}, 0, observe(300, {}, 1)).stuck).toBe(false);
});

test('only a stuck engine with nothing of ours may be probed', () => {
  const stuck = observe(6, { progress: 7 });
  expect(probeAllowed(freshProgress(0), 0, 0)).toBe(false);
  expect(probeAllowed(stuck, 0, 0)).toBe(true);
  expect(probeAllowed(stuck, 1, 0)).toBe(false);
  expect(probeAllowed({ ...stuck, probedAt: 5_000 }, 0, 14_999)).toBe(false);
  expect(probeAllowed({ ...stuck, probedAt: 5_000 }, 0, 15_000)).toBe(true);
});
