import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type SseEvent, SseSplitter } from './sse.ts';

const ending = fc.constantFrom('\n', '\r\n', '\r');
const line = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
  fc.constantFrom('data', 'data:', ': ping', 'event: error', 'id: 1', 'data: é€😀', ''),
);
const stream = fc
  .array(fc.tuple(line, ending), { maxLength: 24 })
  .map((lines) => new TextEncoder().encode(lines.flat().join('')));

interface Read {
  readonly events: SseEvent[];
  readonly atBoundary: boolean;
  /** What a pipe that holds back events in the making has let through. */
  readonly passed: number;
}

function read(bytes: Uint8Array, cuts: readonly number[]): Read {
  const splitter = new SseSplitter();
  const events: SseEvent[] = [];
  let passed = 0;
  const bounds = [...new Set(cuts.map((cut) => cut % (bytes.byteLength + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...bounds, bytes.byteLength]) {
    const push = splitter.push(bytes.subarray(from, to));
    events.push(...push.events);
    if (push.wholeUpTo > 0) passed = from + push.wholeUpTo;
    from = to;
  }
  return { events, atBoundary: splitter.atBoundary, passed };
}

test('a stream gives the same events and the same boundaries wherever it is cut', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, cuts) => {
      expect(read(bytes, cuts)).toEqual(read(bytes, []));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('cut between any two bytes it is still the same', () => {
  fc.assert(
    fc.property(stream, (bytes) => {
      expect(read(bytes, [...bytes.keys()])).toEqual(read(bytes, []));
    }),
    { seed: 2, numRuns: 300 },
  );
});

test('at a boundary nothing is held back', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(), { maxLength: 12 }), (bytes, cuts) => {
      const { atBoundary, passed } = read(bytes, cuts);
      expect(passed === bytes.byteLength).toBe(atBoundary);
    }),
    { seed: 3, numRuns: 300 },
  );
});
