import { Readable } from 'node:stream';

import { ByteBlocks } from '../kit/byte-blocks.ts';
import { type Clock, deadline } from '../kit/clock.ts';
import { reason } from '../kit/log.ts';
import { SseSplitter } from '../openai/sse.ts';
import { readStreamEvent } from '../openai/stream-event.ts';
import { answerIs } from './headers.ts';
import { type UpstreamAnswer, UpstreamFailure } from './upstream.ts';

/** An answer whose beginning is known; `answer.body` still begins with it. */
export interface Held {
  readonly answer: UpstreamAnswer;
  /** By which to judge it: an error that comes as the first event of a stream carries its own. */
  readonly status: number;
  /** Of an error: the beginning of its body. Else ''. */
  readonly says: string;
  /** Whether all of it was read, so that its connection is free. */
  readonly isWhole: boolean;
}

export interface HoldOptions {
  readonly clock: Clock;
  /** 0: nothing is held. */
  readonly headAfterMs: number;
}

/** More of an error than this is not read, and more of anything is not held. */
const MAX_HELD_BYTES = 65_536;
/** An error takes no longer than this to be told: one that does is judged by its status. */
const ERROR_WITHIN_MS = 1_000;
/** What an error event counts as that says nothing of its status. */
const UNTOLD_STATUS = 500;

/**
 * Waits until it is known what an answer is: of a stream for its first event, of an error for its whole body but no
 * longer than a second, of anything else for its first byte. Until then the client has seen nothing, so all can still be tried elsewhere.
 * @throws UpstreamFailure when the engine breaks off before that, or ends a stream without an event
 */
export function holdAnswer(answer: UpstreamAnswer, { clock, headAfterMs }: HoldOptions): Promise<Held> {
  if (headAfterMs === 0) {
    return Promise.resolve({ answer, status: answer.status, says: '', isWhole: false });
  }
  const { body } = answer;
  const isStream = answerIs(answer.headers, 'text/event-stream');
  const splitter = new SseSplitter();
  let { status } = answer;
  let waitsFor: 'all' | 'event' | 'byte' = status >= 400 ? 'all' : isStream ? 'event' : 'byte';
  const begun = new ByteBlocks();

  return new Promise((resolve, reject) => {
    const settle = (finish: () => void): void => {
      cancel();
      body.off('data', onData).off('end', onEnd).off('error', onBreak).off('close', onBreak);
      finish();
    };
    const held = (rest: Readable, isWhole: boolean): Held => {
      const says = waitsFor === 'all' ? begun.whole().toString() : '';
      return { answer: { ...answer, body: rest }, status, says, isWhole };
    };
    /** Goes on from where it stands: what was read is put back. */
    const handOn = (): void =>
      settle(() => {
        body.pause();
        if (begun.size > 0) body.unshift(begun.whole());
        resolve(held(body, false));
      });
    const onData = (chunk: Uint8Array): void => {
      begun.add(chunk);
      const first = waitsFor === 'event' ? splitter.push(chunk).events[0] : undefined;
      const event = first === undefined ? undefined : readStreamEvent(first.data);
      if (event?.brings === 'error') {
        status = event.status ?? UNTOLD_STATUS;
        waitsFor = 'all';
        cancel();
        cancel = limit();
      }
      const known = waitsFor === 'byte' || (waitsFor === 'event' && event !== undefined);
      if (known || begun.size > MAX_HELD_BYTES) handOn();
    };
    const onEnd = (): void =>
      settle(() => {
        if (waitsFor === 'event' && begun.size === 0)
          reject(broke(new Error('it ended its stream without an event')));
        else {
          const rest = Readable.from(begun.size === 0 ? [] : [begun.whole()], { objectMode: false });
          resolve(held(rest, true));
        }
      });
    const onBreak = (cause?: unknown): void =>
      settle(() => reject(broke(cause ?? new Error('it closed before its answer began'))));

    const limit = (): (() => void) => {
      const ms = waitsFor === 'all' ? Math.min(headAfterMs, ERROR_WITHIN_MS) : headAfterMs;
      return deadline(clock, ms, handOn);
    };
    let cancel = limit();
    body.once('end', onEnd).once('error', onBreak).once('close', onBreak);
    body.on('data', onData);
  });
}

function broke(cause: unknown): UpstreamFailure {
  return new UpstreamFailure('died', reason(cause), cause);
}
