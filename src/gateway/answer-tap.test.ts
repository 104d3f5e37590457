import { expect, test } from 'vitest';

import { textEvent } from '../../test/kit/fake-engine.ts';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import { type AnswerTap, jsonTap, streamTap } from './answer-tap.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function tapped(): { tap: AnswerTap; clock: ManualClock; firsts: number[]; gaps: number[] } {
  const clock = new ManualClock();
  const firsts: number[] = [];
  const gaps: number[] = [];
  const tap = streamTap(clock, { first: (at) => firsts.push(at), gap: (ms) => gaps.push(ms) });
  return { tap, clock, firsts, gaps };
}

test('the first output is timed once, and the gaps between outputs', async () => {
  const { tap, clock, firsts, gaps } = tapped();
  tap.read(bytes('data: {"choices":[{"delta":{"role":"assistant","content":""}}]}\n\n'));
  await clock.advance(40);
  tap.read(bytes(textEvent('a')));
  await clock.advance(10);
  tap.read(bytes(': ping\n\n'));
  await clock.advance(5);
  tap.read(bytes(textEvent('b') + textEvent('c')));
  expect(firsts).toEqual([40]);
  expect(gaps).toEqual([15, 0]);
});

test('an event counts when it is whole', async () => {
  const { tap, clock, firsts } = tapped();
  const event = bytes(textEvent('a'));
  expect(tap.read(event.subarray(0, 20))).toBe(0);
  await clock.advance(40);
  expect(tap.read(event.subarray(20))).toBe(event.byteLength - 20);
  expect(firsts).toEqual([40]);
});

test('usage of a stream is the last that was told, never a sum', () => {
  const { tap } = tapped();
  for (const completion_tokens of [3, 7]) {
    tap.read(
      bytes(`data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 5, completion_tokens } })}\n\n`),
    );
  }
  expect(tap.usage()).toMatchObject({ promptTokens: 5, completionTokens: 7 });
});

test('usage of a plain answer is read at its end, unless the answer is huge or no JSON', () => {
  const whole = jsonTap();
  whole.read(bytes('{"usage":{"prompt_'));
  whole.read(bytes('tokens":5}}'));
  expect(whole.usage()).toMatchObject({ promptTokens: 5 });
  const huge = jsonTap();
  huge.read(bytes(`{"x":"${'y'.repeat(1_048_576)}",`));
  expect(huge.read(bytes('"usage":{"prompt_tokens":5}}'))).toBe(28);
  expect(huge.usage()).toBeUndefined();
});

const said = textEvent('Hi');
const finish = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`;
const usageChunk = 'data: {"choices":[],"usage":{"prompt_tokens":1}}\n\n';

test.each([
  ['said nothing that is known', ': ping\n\ndata: hello\n\n', 'whole'],
  ['stops after some text', said, 'unfinished'],
  ['ends with a finish chunk alone', said + finish, 'whole'],
  ['ends with [DONE] alone', `${said}data: [DONE]\n\n`, 'whole'],
  ['has usage after its finish chunk', said + finish + usageChunk, 'whole'],
  ['tells of a failure', `${said}data: {"error":{"code":500}}\n\n`, 'failed'],
  [
    'tells of a failure and says [DONE]',
    `${said}data: {"error":{"message":"x"}}\n\ndata: [DONE]\n\n`,
    'failed',
  ],
  ['tells the client of its mistake', 'data: {"error":{"code":400}}\n\n', 'whole'],
  ['stops in Messages', 'data: {"type":"message_start","message":{}}\n\n', 'unfinished'],
])('a stream that %s', (_what, text, ending) => {
  const { tap } = tapped();
  tap.read(bytes(text));
  expect(tap.ending()).toBe(ending);
});

test.each([
  ['{"choices":[]}', 'whole'],
  ['', 'whole'],
  ['OK', 'whole'],
  ['{"choices":[', 'unfinished'],
  [' [0.1, 0.2', 'unfinished'],
  [`{"x":"${'y'.repeat(1_048_576)}`, 'whole'],
] as const)('a plain answer whose end leaves %.20j is %s', (text, ending) => {
  const tap = jsonTap();
  tap.read(bytes(text));
  expect(tap.ending()).toBe(ending);
});
