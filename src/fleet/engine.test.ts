import { expect, test } from 'vitest';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import type { ServedModel } from '../engines/models.ts';
import type { EngineProfile } from '../engines/profile.ts';
import type { Signals } from '../engines/signals.ts';
import { Engine, type EngineSettings, type Identity } from './engine.ts';
import { defaultFleetSettings } from './fleet-settings.ts';
import type { ScrapeReport } from './scrape-report.ts';

const settings: EngineSettings = {
  name: 'gpu-0',
  url: 'http://gpu-0:8000',
  kind: undefined,
  runtime: undefined,
  key: undefined,
  metrics: undefined,
};

function made(over: Partial<EngineSettings> = {}) {
  const clock = new ManualClock();
  return {
    clock,
    engine: new Engine(
      { ...settings, ...over },
      { clock, random: () => 0, isNew: false },
      defaultFleetSettings,
    ),
  };
}

function signals(over: Partial<Signals> = {}): Signals {
  return { running: 0, waiting: 0, ...over } as Signals;
}

function report(clock: ManualClock, over: Partial<ScrapeReport> = {}): ScrapeReport {
  return {
    startedAt: clock.now(),
    page: { bytes: new Uint8Array(), format: 'text-0.0.4', at: clock.now() },
    signals: signals(),
    contract: 'complete',
    missing: [],
    problem: undefined,
    ...over,
  };
}

function model(id: string, loaded?: boolean): ServedModel {
  return { id, aliases: [], maxModelTokens: undefined, loaded, created: undefined };
}

function identity(
  models: readonly ServedModel[],
  profile: Partial<Pick<EngineProfile, 'kind' | 'metrics' | 'apis'>> = {},
): Identity {
  return {
    profile: { kind: 'vllm', metrics: { path: '/metrics' }, ...profile } as EngineProfile,
    certainty: 'known',
    reason: 'test',
    version: undefined,
    models,
  };
}

test('before any contact it is unknown and unseen, and says nothing of its load', () => {
  const { engine } = made();
  expect(engine.view()).toMatchObject({
    health: 'unknown',
    contract: 'unseen',
    kind: 'unknown',
    inFlight: 0,
  });
  expect(engine.view().signals).toBeUndefined();
  expect(engine.view().signalsAgeMs).toBeUndefined();
});

test('two misses keep what it said, the third makes all of it vanish', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock, { signals: signals({ running: 3 }) }));
  engine.reportMiss('refused', 'connect refused');
  engine.reportMiss('refused', 'connect refused');
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'complete' });
  expect(engine.view().signals?.running).toBe(3);
  engine.reportMiss('timeout', 'no answer within 5000 ms');
  expect(engine.view()).toMatchObject({ health: 'down', contract: 'unseen' });
  expect([engine.view().signals, engine.page]).toEqual([undefined, undefined]);
  expect(engine.contact.reason).toBe('no answer within 5000 ms');
  expect([...engine.counts.failures]).toEqual([
    ['refused', 2],
    ['timeout', 1],
  ]);
  expect(engine.counts.scrapes).toBe(4);
});

test('an engine that is alive without its page stays up; its series vanish after three misses all the same', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock));
  engine.reportPageMiss('http-status', 'the page answers 501');
  engine.reportMiss('timeout', 'late');
  expect(engine.page).toBeDefined();
  engine.reportPageMiss('http-status', 'the page answers 501');
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'unseen' });
  expect([engine.page, engine.pageReason]).toEqual([undefined, 'the page answers 501']);
  expect(engine.reportScrape(report(clock))).toEqual({ restarted: true });
  expect(engine.pageReason).toBeUndefined();
});

test('a malformed page counts as a failure of its own cause', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock, { contract: 'malformed', problem: 'line 2' }));
  expect([...engine.counts.failures]).toEqual([['malformed', 1]]);
  expect(engine.view()).toMatchObject({ health: 'up', contract: 'malformed' });
});

test('a failed connection of a request counts as a miss but not as a scrape', () => {
  const { engine } = made();
  for (let miss = 0; miss < 3; miss += 1) engine.reportUnreachable('connect refused');
  expect(engine.view().health).toBe('down');
  expect(engine.counts.scrapes).toBe(0);
});

test('one success forgives all misses', () => {
  const { engine, clock } = made();
  engine.reportMiss('refused', 'a');
  engine.reportMiss('refused', 'b');
  engine.reportScrape(report(clock));
  engine.reportMiss('refused', 'c');
  engine.reportMiss('refused', 'd');
  expect(engine.view().health).toBe('up');
});

test('a loading engine is not missed, and what it said before is void', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock));
  for (let look = 0; look < 5; look += 1) engine.reportLoading('Loading model');
  expect(engine.view()).toMatchObject({ health: 'loading', contract: 'unseen' });
  expect(engine.page).toBeUndefined();
  expect(engine.reportScrape(report(clock))).toEqual({ restarted: true });
});

test('the age of its signals grows from the moment its page was read', async () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock));
  await clock.advance(2_500);
  expect(engine.view().signalsAgeMs).toBe(2_500);
  expect(engine.contactAgeMs).toBe(2_500);
  for (let miss = 0; miss < 3; miss += 1) engine.reportMiss('refused', 'gone');
  expect(engine.view().signalsAgeMs).toBeUndefined();
  expect(engine.scrapeAgeMs).toBe(2_500);
});

test('an ordinary scrape is no restart', () => {
  const { engine, clock } = made();
  expect(engine.reportScrape(report(clock, { signals: signals({ promptTokens: 5 }) }))).toEqual({
    restarted: false,
  });
  expect(engine.reportScrape(report(clock, { signals: signals({ promptTokens: 5 }) }))).toEqual({
    restarted: false,
  });
  expect(engine.counts.restarts).toBe(0);
});

test.each([['promptTokens'], ['generationTokens'], ['successes'], ['progress']] as const)(
  'a fall of %s is a restart',
  (name) => {
    const { engine, clock } = made();
    engine.reportScrape(report(clock, { signals: signals({ [name]: 10 }) }));
    expect(engine.reportScrape(report(clock, { signals: signals({ [name]: 9 }) }))).toEqual({
      restarted: true,
    });
    expect(engine.counts.restarts).toBe(1);
  },
);

test('a counter that goes absent or comes back is no fall', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock, { signals: signals({ promptTokens: 10 }) }));
  engine.reportScrape(report(clock));
  engine.reportScrape(report(clock, { signals: signals({ promptTokens: 10 }) }));
  expect(engine.counts.restarts).toBe(0);
});

test('a restart is counted though the engine was lost in between', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock, { signals: signals({ promptTokens: 10 }) }));
  for (let miss = 0; miss < 5; miss += 1) engine.reportMiss('refused', 'gone');
  expect(engine.reportScrape(report(clock, { signals: signals({ promptTokens: 1 }) }))).toEqual({
    restarted: true,
  });
  expect(engine.counts.restarts).toBe(1);
});

test('after a miss its identity is looked at again, though its counters went on', () => {
  const { engine, clock } = made();
  engine.reportScrape(report(clock, { signals: signals({ promptTokens: 10 }) }));
  engine.reportMiss('timeout', 'late');
  expect(engine.reportScrape(report(clock, { signals: signals({ promptTokens: 11 }) }))).toEqual({
    restarted: true,
  });
  expect(engine.counts.restarts).toBe(0);
});

test('what we sent since the scrape left counts as unknown to the page, what ended by its coming as known', () => {
  const { engine, clock } = made();
  const early = engine.begin();
  engine.scrapeStarts();
  const during = engine.begin();
  early.end();
  engine.reportScrape(report(clock));
  expect(engine.view()).toMatchObject({ inFlight: 1, sentSinceReport: 1, finishedSinceReport: 0 });
  engine.begin();
  during.end();
  expect(engine.view()).toMatchObject({ inFlight: 1, sentSinceReport: 2, finishedSinceReport: 1 });
});

test('a scrape that fails does not move the correction of the report before it', () => {
  const { engine, clock } = made();
  engine.scrapeStarts();
  engine.reportScrape(report(clock));
  engine.begin();
  engine.scrapeStarts();
  engine.reportMiss('timeout', 'late');
  expect(engine.view()).toMatchObject({ inFlight: 1, sentSinceReport: 1, finishedSinceReport: 0 });
});

test('ending a request twice counts once', () => {
  const { engine } = made();
  const request = engine.begin();
  engine.begin();
  request.end();
  request.end();
  expect(engine.inFlight).toBe(1);
});

test('an engine without metrics is trusted for being alive only', () => {
  const { engine, clock } = made();
  engine.identify(identity([model('a')], { kind: 'ollama', metrics: undefined, apis: ['chat'] }));
  expect(engine.view().contract).toBe('unseen');
  expect(engine.reportAlive(clock.now())).toEqual({ restarted: false });
  expect(engine.view()).toMatchObject({ kind: 'ollama', health: 'up', contract: 'none' });
  for (let miss = 0; miss < 3; miss += 1) engine.reportMiss('refused', 'gone');
  expect(engine.view().contract).toBe('unseen');
  expect(engine.reportAlive(clock.now())).toEqual({ restarted: true });
});

test('only the page that is kept can be called malformed', () => {
  const { engine, clock } = made();
  const first = report(clock);
  engine.reportScrape(first);
  engine.reportScrape(report(clock));
  engine.reportMalformed(first.page, 'line 3');
  expect(engine.view().contract).toBe('complete');
  if (engine.page !== undefined) engine.reportMalformed(engine.page, 'line 3');
  expect([engine.view().contract, engine.problem]).toEqual(['malformed', 'line 3']);
  engine.reportScrape(report(clock));
  expect([engine.view().contract, engine.problem]).toEqual(['complete', undefined]);
});

test('the runtime is the kind with the first model, and stays when the list changes', () => {
  const { engine } = made();
  expect(engine.runtime).toBe('gpu-0');
  engine.identify(identity([]));
  expect(engine.runtime).toBe('gpu-0');
  engine.identify(identity([model('meta/Llama 3'), model('lora-a')]));
  expect(engine.runtime).toBe('vllm-meta/Llama 3');
  engine.identify(identity([model('other')]));
  expect(engine.runtime).toBe('vllm-meta/Llama 3');
});

test('an engine that swaps models is one runtime of its own name', () => {
  const { engine } = made();
  engine.identify(identity([model('a', true), model('b', false)]));
  expect(engine.runtime).toBe('gpu-0');
});

test('a configured runtime wins', () => {
  const { engine } = made({ runtime: 'chat' });
  engine.identify(identity([model('a')]));
  expect(engine.runtime).toBe('chat');
});

test('a stuck engine shows it, may be probed once in ten seconds, and comes back when its work moves', async () => {
  const { engine, clock } = made();
  const busy = (progress: number) => report(clock, { signals: signals({ running: 1, progress }) });
  for (let scrape = 0; scrape < 6; scrape += 1) {
    await clock.advance(1_000);
    engine.reportScrape(busy(7));
  }
  expect(engine.view()).toMatchObject({ contract: 'stuck', probeAllowed: true });
  const request = engine.begin();
  expect(engine.view().probeAllowed).toBe(false);
  request.end();
  expect(engine.view().probeAllowed).toBe(false);
  await clock.advance(10_000);
  expect(engine.view().probeAllowed).toBe(true);
  engine.reportScrape(busy(8));
  expect(engine.view()).toMatchObject({ contract: 'complete', probeAllowed: false });
});

test('the memory of a page is for the next one only when nobody read it', () => {
  const { engine, clock } = made();
  const pages = [0, 1, 2, 3].map(() => ({ ...report(clock).page, bytes: new Uint8Array(1) }));
  const scrape = (at: number) =>
    engine.reportScrape(report(clock, { page: pages[at] ?? report(clock).page }));
  scrape(0);
  expect(engine.takeSpare()).toBeUndefined();
  scrape(1);
  expect(engine.takeSpare()).toBe(pages[0]?.bytes);
  expect(engine.takeSpare()).toBeUndefined();
  expect(engine.page).toBe(pages[1]);
  scrape(2);
  expect(engine.takeSpare()).toBeUndefined();
  scrape(3);
  expect(engine.takeSpare()).toBe(pages[2]?.bytes);
});
