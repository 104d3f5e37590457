import fc from 'fast-check';
import { expect, test } from 'vitest';

import {
  admits,
  answered,
  BREAKER_STATES,
  type Breaker,
  breakerState,
  defaultBreakerSettings,
  ended,
  faulted,
  freshBreaker,
  returned,
  sent,
  succeeded,
} from './breaker.ts';

const settings = defaultBreakerSettings;
/** The longest time a draw can give. */
const last = () => 1 - Number.EPSILON;

function fault(breaker: Breaker, now: number, token: object = {}, sentAt = now): Breaker {
  return faulted(breaker, { token, sentAt, now }, settings, last);
}

function openedAt(now: number): Breaker {
  let breaker = freshBreaker(0);
  for (let count = 0; count < settings.faultsInARow; count += 1) breaker = fault(breaker, now);
  return breaker;
}

test('it opens with the fifth fault in a row and admits nobody for its time', () => {
  let breaker = freshBreaker(0);
  for (let count = 1; count < settings.faultsInARow; count += 1) {
    breaker = fault(breaker, 10);
    expect([count, breakerState(breaker, 10), admits(breaker, 10)]).toEqual([count, 'closed', true]);
  }
  breaker = fault(breaker, 10);
  expect([breakerState(breaker, 10), admits(breaker, 10)]).toEqual(['open', false]);
  expect(breakerState(breaker, 5_009)).toBe('open');
  expect([breakerState(breaker, 5_010), admits(breaker, 5_010)]).toEqual(['half-open', true]);
});

test('one success between faults begins the row anew', () => {
  let breaker = freshBreaker(0);
  for (let count = 0; count < 4; count += 1) breaker = fault(breaker, 0);
  breaker = succeeded(breaker, 0, settings);
  for (let count = 0; count < 4; count += 1) breaker = fault(breaker, 0);
  expect(breakerState(breaker, 0)).toBe('closed');
});

test('every other request failing opens it by the share, once there are enough to tell', () => {
  let breaker = freshBreaker(0);
  let ends = 0;
  while (breakerState(breaker, 0) === 'closed') {
    breaker = ends % 2 === 0 ? succeeded(breaker, 0, settings) : fault(breaker, 0);
    ends += 1;
  }
  expect(ends).toBe(settings.leastInWindow);
});

test('faults older than the window are forgotten', () => {
  let breaker = freshBreaker(0);
  for (let count = 0; count < 12; count += 1) {
    breaker = fault(breaker, 0);
    breaker = succeeded(breaker, 0, settings);
    if (breakerState(breaker, 0) !== 'closed') throw new Error('too early');
    if (count === 8) break;
  }
  for (let count = 0; count < 40; count += 1) breaker = succeeded(breaker, 16_000, settings);
  expect(breakerState(fault(breaker, 16_000), 16_000)).toBe('closed');
  breaker = fault(succeeded(breaker, 80_000, settings), 80_000);
  expect([breaker.thisHalf, breaker.lastHalf]).toEqual([
    { ok: 1, faults: 1 },
    { ok: 0, faults: 0 },
  ]);
});

test('half-open one request may try, and only one', () => {
  const probe = {};
  const trying = sent(openedAt(0), probe, 6_000);
  expect([breakerState(trying, 6_000), admits(trying, 6_000)]).toEqual(['half-open', false]);
  expect(sent(trying, {}, 6_000).probe).toBe(probe);
});

test('a probe that is answered closes it', () => {
  const trying = sent(openedAt(0), {}, 6_000);
  const closed = answered(trying, 6_000, 6_100);
  expect([breakerState(closed, 6_100), admits(closed, 6_100), closed.faultsInARow]).toEqual([
    'closed',
    true,
    0,
  ]);
});

test('what was sent before it opened neither closes nor prolongs it', () => {
  const open = openedAt(100);
  expect(answered(open, 50, 200)).toBe(open);
  const late = fault(open, 5_200, {}, 50);
  expect([late.open, breakerState(late, 5_200)]).toEqual([open.open, 'half-open']);
});

test('a probe that fails opens it for twice as long, up to the cap', () => {
  let breaker = openedAt(0);
  const times: number[] = [];
  let now = 0;
  for (let round = 0; round < 6; round += 1) {
    now = breaker.open?.until ?? 0;
    const probe = {};
    breaker = fault(sent(breaker, probe, now), now, probe);
    times.push(Math.round((breaker.open?.until ?? 0) - now));
  }
  expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
});

test('after it closed the time begins small again', () => {
  const first = openedAt(0);
  const probe = {};
  const twice = fault(sent(first, probe, 5_000), 5_000, probe);
  const closed = answered(sent(twice, {}, 20_000), 20_000, 20_000);
  let again = closed;
  for (let count = 0; count < 5; count += 1) again = fault(again, 21_000);
  expect(Math.round((again.open?.until ?? 0) - 21_000)).toBe(5_000);
});

test('a probe that ends without telling anything leaves its place to another', () => {
  const probe = {};
  const trying = sent(openedAt(0), probe, 6_000);
  expect(ended(trying, {})).toBe(trying);
  expect(admits(ended(trying, probe), 6_000)).toBe(true);
});

test('an engine that was away and is back may be tried at once', () => {
  const back = returned(openedAt(0), 1_000);
  expect(breakerState(back, 1_000)).toBe('half-open');
  expect(returned(freshBreaker(0), 1).open).toBeUndefined();
});

test('gateways that opened together do not try together', () => {
  const until = [0, 0.5, 0.99].map((draw) => {
    let breaker = freshBreaker(0);
    for (let count = 0; count < 5; count += 1) {
      breaker = faulted(breaker, { token: {}, sentAt: 0, now: 0 }, settings, () => draw);
    }
    return breaker.open?.until ?? 0;
  });
  expect(until).toEqual([2_500, 3_750, 4_975]);
});

/** Sends, ends and time in any order: what must hold after each. */
test('whatever happens, it admits again within the longest time, and never two probes at once', () => {
  const deed = fc.record({
    what: fc.constantFrom('send', 'answer', 'succeed', 'fault', 'end', 'wait', 'return'),
    which: fc.nat({ max: 5 }),
    ms: fc.nat({ max: 40_000 }),
  });
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 200 }), fc.double({ min: 0, max: 0.999 }), (deeds, draw) => {
      let breaker = freshBreaker(0);
      let now = 0;
      const running: { sentAt: number }[] = [];
      for (const { what, which, ms } of deeds) {
        const token = running[which % Math.max(1, running.length)];
        if (what === 'wait') now += ms;
        else if (what === 'return') breaker = returned(breaker, now);
        else if (what === 'send') {
          if (!admits(breaker, now)) continue;
          const fresh = { sentAt: now };
          running.push(fresh);
          const probed = breaker.probe;
          breaker = sent(breaker, fresh, now);
          if (probed !== undefined) expect(breaker.probe).toBe(probed);
        } else if (token !== undefined) {
          if (what === 'answer') breaker = answered(breaker, token.sentAt, now);
          if (what === 'succeed') breaker = succeeded(breaker, now, settings);
          if (what === 'fault')
            breaker = faulted(breaker, { token, sentAt: token.sentAt, now }, settings, () => draw);
          if (what !== 'answer') {
            breaker = ended(breaker, token);
            running.splice(running.indexOf(token), 1);
          }
        }
        expect(BREAKER_STATES).toContain(breakerState(breaker, now));
        if (breaker.probe !== undefined) expect(running).toContain(breaker.probe);
        else expect(admits(breaker, now + settings.openAtMostMs)).toBe(true);
      }
    }),
    { seed: 1, numRuns: 500 },
  );
});
