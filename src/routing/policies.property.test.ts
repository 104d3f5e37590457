import fc from 'fast-check';
import { expect, test } from 'vitest';

import { engineView, servedModel, signalsOf } from '../../test/kit/engine-view.ts';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import { CONTRACT_STATES, type EngineView } from '../fleet/engine-view.ts';
import { Fleet } from '../fleet/fleet.ts';
import { seededRandom } from '../kit/random.ts';
import { policies } from './index.ts';
import { leastRequests } from './least-requests.ts';
import type { Candidates } from './policy.ts';

const count = fc.nat({ max: 50 });
const view = fc
  .record({
    contract: fc.constantFrom(...CONTRACT_STATES),
    running: fc.option(count, { nil: undefined }),
    waiting: fc.option(count, { nil: undefined }),
    inFlight: count,
    sentSinceReport: count,
    finishedSinceReport: count,
    probeAllowed: fc.boolean(),
  })
  .map(({ running, waiting, ...rest }) => ({ ...rest, signals: signalsOf({ running, waiting }) }));
const candidates = fc
  .array(view, { minLength: 1, maxLength: 8 })
  .map((views) => views.map((over, at) => engineView(`e${at}`, over)) as unknown as Candidates);
const request = fc.record({
  model: fc.constant('m'),
  sessionKey: fc.option(fc.string(), { nil: undefined }),
});

test('a policy never picks outside the candidates', () => {
  fc.assert(
    fc.property(candidates, request, fc.nat(), (engines, facts, seed) => {
      for (const make of Object.values(policies)) {
        const { engine, reason } = make(seededRandom(seed)).pick(engines, facts);
        expect(engines).toContain(engine);
        expect(reason).not.toBe('');
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('scaling all loads alike changes no choice', () => {
  const scaled = (engine: EngineView, by: number): EngineView => ({
    ...engine,
    signals: signalsOf({
      running: times(engine.signals?.running, by),
      waiting: times(engine.signals?.waiting, by),
    }),
    inFlight: engine.inFlight * by,
    sentSinceReport: engine.sentSinceReport * by,
    finishedSinceReport: engine.finishedSinceReport * by,
  });
  fc.assert(
    fc.property(candidates, request, fc.nat(), fc.integer({ min: 2, max: 9 }), (engines, facts, seed, by) => {
      const larger = engines.map((engine) => scaled(engine, by)) as unknown as Candidates;
      for (const make of Object.values(policies)) {
        const before = make(seededRandom(seed)).pick(engines, facts);
        expect(make(seededRandom(seed)).pick(larger, facts).engine.name).toBe(before.engine.name);
      }
    }),
    { seed: 2, numRuns: 500 },
  );
});

function times(value: number | undefined, by: number): number | undefined {
  return value === undefined ? undefined : value * by;
}

/** Real engines, so that the in-flight bookkeeping is what the gateway has. */
function idleFleet(size: number): { fleet: Fleet; clock: ManualClock } {
  const clock = new ManualClock();
  const fleet = new Fleet({ clock });
  for (let at = 0; at < size; at += 1) {
    fleet.add({
      name: `e${at}`,
      url: `http://e${at}`,
      kind: undefined,
      runtime: undefined,
      key: undefined,
      metrics: undefined,
    });
  }
  return { fleet, clock };
}

function report(fleet: Fleet, clock: ManualClock, name: string, running: number): void {
  const engine = fleet.get(name);
  engine?.scrapeStarts();
  engine?.reportScrape({
    startedAt: clock.now(),
    page: { bytes: new Uint8Array(), format: 'text-0.0.4', at: clock.now() },
    signals: signalsOf({ running }),
    contract: 'complete',
    missing: [],
    problem: undefined,
  });
}

function burst(fleet: Fleet, size: number, seed: number): ReadonlyMap<string, number> {
  const policy = leastRequests(seededRandom(seed));
  const sent = new Map(fleet.engines().map(({ name }) => [name, 0]));
  for (let at = 0; at < size; at += 1) {
    const { engine } = policy.pick(fleet.snapshot() as unknown as Candidates, {
      model: 'm',
      sessionKey: undefined,
    });
    fleet.get(engine.name)?.begin();
    sent.set(engine.name, (sent.get(engine.name) ?? 0) + 1);
  }
  return sent;
}

test('a burst on equal idle engines splits within one, with no scrape in between', () => {
  for (let engines = 1; engines <= 8; engines += 1) {
    for (let size = 1; size <= 64; size += 1) {
      for (const scraped of [true, false]) {
        const { fleet, clock } = idleFleet(engines);
        if (scraped) for (const { name } of fleet.engines()) report(fleet, clock, name, 0);
        const counts = [...burst(fleet, size, engines * 100 + size).values()];
        expect([engines, size, Math.max(...counts) - Math.min(...counts) <= 1]).toEqual([
          engines,
          size,
          true,
        ]);
      }
    }
  }
});

test('an engine loaded by somebody else gets fewer, by as much as it has', () => {
  const { fleet, clock } = idleFleet(3);
  for (const { name } of fleet.engines()) report(fleet, clock, name, name === 'e1' ? 6 : 0);
  expect([...burst(fleet, 24, 1)]).toEqual([
    ['e0', 10],
    ['e1', 4],
    ['e2', 10],
  ]);
});

test('what finishes makes room again before the next scrape', () => {
  const { fleet, clock } = idleFleet(2);
  for (const { name } of fleet.engines()) report(fleet, clock, name, 0);
  const requests = Array.from({ length: 4 }, () => fleet.get('e0')?.begin());
  expect([...burst(fleet, 4, 1).values()]).toEqual([0, 4]);
  for (const sent of requests) sent?.end();
  expect([...burst(fleet, 4, 1).values()]).toEqual([4, 0]);
});

test('served models do not matter to a policy, only to the filters before it', () => {
  const other = engineView('a', { models: [servedModel('other')] });
  expect(leastRequests(seededRandom(1)).pick([other], { model: 'm', sessionKey: undefined }).engine).toBe(
    other,
  );
});

test('with every policy an engine with a part of its share gets about that part of what the others get', () => {
  for (const [name, make] of Object.entries(policies)) {
    const policy = make(seededRandom(5));
    const inFlight = new Map([...'abcd'].map((engine) => [engine, 0]));
    for (let sent = 0; sent < 8_000; sent += 1) {
      const views = [...inFlight].map(([engine, count]) =>
        engineView(engine, { inFlight: count, share: engine === 'd' ? 0.25 : 1 }),
      );
      const { engine } = policy.pick(views as unknown as Candidates, { model: 'm', sessionKey: `s${sent}` });
      inFlight.set(engine.name, (inFlight.get(engine.name) ?? 0) + 1);
    }
    const [a = 0, b = 0, c = 0, d = 0] = inFlight.values();
    const ratio = d / ((a + b + c) / 3);
    expect([name, ratio > 0.2 && ratio < 0.3]).toEqual([name, true]);
  }
});
