import fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { ManualClock } from '../../test/kit/manual-clock.ts';
import { deadline, systemClock } from './clock.ts';
import { hash32 } from './hash.ts';
import { createLog, reason } from './log.ts';
import { seededRandom } from './random.ts';
import { Ring } from './ring.ts';
import { slug } from './slug.ts';

test('a ring keeps the last values pushed, oldest first', () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer({ min: 1, max: 9 }), (values, capacity) => {
      const ring = new Ring<number>(capacity);
      for (const value of values) ring.push(value);
      expect(ring.toArray()).toEqual(values.slice(-capacity));
      expect(ring.size).toBe(Math.min(values.length, capacity));
    }),
    { seed: 1 },
  );
});

test('a ring without room is refused', () => {
  expect(() => new Ring(0)).toThrow(RangeError);
});

test('the same seed gives the same numbers, spread over [0, 1)', () => {
  const [one, other] = [seededRandom(7), seededRandom(7)];
  const values = Array.from({ length: 1000 }, () => one());
  expect(values.map(() => other())).toEqual(values);
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...values)).toBeLessThan(1);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  expect(mean).toBeGreaterThan(0.45);
  expect(mean).toBeLessThan(0.55);
});

test('a hash tells texts apart that differ in one character and stays the same for ever', () => {
  expect(hash32('engine-1')).toBe(hash32('engine-1'));
  expect(new Set(Array.from({ length: 5000 }, (_, at) => hash32(`engine-${at}`))).size).toBe(5000);
});

test.each([
  ['Qwen/Qwen3-8B', 'qwen-qwen3-8b'],
  ['  --a..b--  ', 'a-b'],
  ['ümlaut', 'mlaut'],
  ['', ''],
])('the slug of %j is %j', (text, expected) => {
  expect(slug(text)).toBe(expected);
});

test('an aborted sleep rejects with the reason of the signal', async () => {
  const abort = new AbortController();
  const sleeping = systemClock.sleep(60_000, abort.signal);
  abort.abort(new Error('stopped'));
  await expect(sleeping).rejects.toThrow('stopped');
});

test('a time longer than any timer of Node does not end at once', async () => {
  const abort = new AbortController();
  let ended = 0;
  const callOff = systemClock.after(2 ** 31 + 5, () => {
    ended += 1;
  });
  const sleeping = systemClock.sleep(2 ** 31 + 5, abort.signal).finally(() => {
    ended += 1;
  });
  await systemClock.sleep(30);
  expect(ended).toBe(0);
  callOff();
  abort.abort(new Error('stopped'));
  await expect(sleeping).rejects.toThrow('stopped');
});

test('such a time ends when it is over, and can be called off in any part of it', () => {
  vi.useFakeTimers();
  const fired: string[] = [];
  const longest = 2 ** 31 - 1;
  systemClock.after(longest + 500, () => fired.push('one'));
  const callOff = systemClock.after(longest + 500, () => fired.push('other'));
  vi.advanceTimersByTime(longest + 499);
  expect(fired).toEqual([]);
  callOff();
  vi.advanceTimersByTime(1);
  expect(fired).toEqual(['one']);
  vi.useRealTimers();
});

test('a deadline fires once its time is over, unless it was called off', async () => {
  const clock = new ManualClock();
  const fired: string[] = [];
  deadline(clock, 100, () => fired.push('first'));
  const callOff = deadline(clock, 100, () => fired.push('second'));
  callOff();
  await clock.advance(99);
  expect(fired).toEqual([]);
  await clock.advance(1);
  expect(fired).toEqual(['first']);
  expect(clock.sleeping).toBe(0);
});

test('a log line holds the bound fields, its own, and errors as their reason', () => {
  const lines: string[] = [];
  const log = createLog({
    clock: new ManualClock(),
    level: 'info',
    format: 'json',
    write: (line) => lines.push(line),
  });
  log.child({ engine: 'a' }).warn('lost', { error: new Error('no answer', { cause: new Error('timeout') }) });
  log.debug('too quiet to be written');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      time: '2026-11-30T12:00:00.000Z',
      level: 'warn',
      message: 'lost',
      engine: 'a',
      error: 'no answer: timeout',
    },
  ]);
});

test('a text log line stays one line whatever is in its fields', () => {
  const lines: string[] = [];
  const log = createLog({
    clock: new ManualClock(),
    level: 'debug',
    format: 'text',
    write: (line) => lines.push(line),
  });
  log.info('routed', { engine: 'a', reason: 'two\nlines', nothing: undefined, count: 3 });
  log.warn('a message that is longer than its column', { engine: 'a' });
  log.info('ready');
  expect(lines).toEqual([
    `12:00:00 info  ${'routed'.padEnd(24)}  engine=a reason="two\\nlines" count=3\n`,
    '12:00:00 warn  a message that is longer than its column  engine=a\n',
    '12:00:00 info  ready\n',
  ]);
});

test.each(['text', 'json'] as const)('a log line as %s shows what would act on a terminal', (format) => {
  const lines: string[] = [];
  const log = createLog({
    clock: new ManualClock(),
    level: 'debug',
    format,
    write: (line) => lines.push(line),
  });
  const model = 'a\u001b[31m\u009b2J\u202e\u2028';
  log.info('routed', { model, tried: [model], plain: 'a\u009b' });
  expect(lines.join('')).not.toMatch(/[^\n -~]/);
  const written = format === 'json' ? lines[0] : /model=(".*?")/.exec(lines[0] ?? '')?.[1];
  expect(JSON.parse(written ?? '')).toEqual(format === 'json' ? expect.objectContaining({ model }) : model);
});

test('the parts of a text log line can be set off, and its message never is', () => {
  const lines: string[] = [];
  const log = createLog({
    clock: new ManualClock(),
    level: 'debug',
    format: 'text',
    write: (line) => lines.push(line),
    highlight: (part, text) => `<${part}>${text}</>`,
  });
  log.warn('engine lost', { engine: 'a' });
  expect(lines).toEqual([
    `<time>12:00:00</> <warn>warn </> ${'engine lost'.padEnd(24)}  <fields>engine=a</>\n`,
  ]);
});

test('the reason of an error is its message with its causes, or its code where it has no message', () => {
  const refused = Object.assign(new AggregateError([new Error('one'), new Error('two')]), { message: '' });
  expect(reason(new Error('fetch failed', { cause: refused }))).toBe('fetch failed: one; two');
  expect(reason(Object.assign(new Error(''), { code: 'ECONNRESET' }))).toBe('ECONNRESET');
  expect(reason('just text')).toBe('just text');
});
