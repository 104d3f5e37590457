import type { Readable, Writable } from 'node:stream';

import { ByteBlocks } from '../kit/byte-blocks.ts';
import { GatewayError } from '../serving/errors.ts';

export interface PipeResult {
  /** Of the answer's body, as passed to the client. */
  readonly bytes: number;
  readonly outcome: 'complete' | 'client-left' | 'engine-broke';
  /** With `engine-broke` only. */
  readonly cause: unknown;
}

export interface PipeOptions {
  /** Sees every chunk as it passes. @returns how many bytes of it lead up to the end of a whole event */
  readonly read: (chunk: Uint8Array) => number;
  /** Whether all that the engine had to say has passed. */
  readonly isOver: () => boolean;
  /** Whether the client reads events, so that a break can be told to it in one. */
  readonly isEventStream: boolean;
}

/** More than this of one event is not held back: memory stays bounded, and the event passes in pieces. */
const MAX_HELD_BYTES = 1_048_576;

/**
 * Carries an engine's answer to the client, byte for byte, with backpressure, and settles once.
 *
 * Not `stream.pipeline`: that destroys the client when the engine breaks off, before anything can be said, and
 * with a generator in the middle it would see a client that leaves only at the engine's next chunk.
 * Of a stream only whole events go out: no reader can use half of one, and after it no error event could follow.
 */
export function pipeAnswer(
  engine: Readable,
  client: Writable,
  { read, isOver, isEventStream }: PipeOptions,
): Promise<PipeResult> {
  return new Promise((resolve) => {
    let bytes = 0;
    const held = new ByteBlocks();
    /** Part of an event that was too large to hold went out: nothing of ours can follow it. */
    let tornApart = false;
    let broke = false;
    let settled = false;

    const settle = (outcome: PipeResult['outcome'], cause?: unknown): void => {
      if (settled) return;
      settled = true;
      engine.off('data', onData);
      client.off('drain', onDrain);
      // An engine that is cut off by us may still complain.
      engine.on('error', () => {});
      if (!engine.destroyed) engine.destroy();
      resolve({ bytes, outcome, cause });
    };
    const write = (chunk: Uint8Array): boolean => {
      if (chunk.byteLength === 0) return true;
      bytes += chunk.byteLength;
      return client.write(chunk);
    };
    const hold = (rest: Uint8Array): boolean => {
      held.add(rest);
      if (held.size <= MAX_HELD_BYTES) return true;
      tornApart = true;
      return release();
    };
    const release = (): boolean => {
      const parts = held.whole();
      held.clear();
      return write(parts);
    };

    const onData = (chunk: Uint8Array): void => {
      const whole = read(chunk);
      let more = true;
      if (whole > 0) {
        tornApart = false;
        more = release();
        more = write(chunk.subarray(0, whole)) && more;
      }
      if (whole < chunk.byteLength) more = hold(chunk.subarray(whole)) && more;
      if (!more) engine.pause();
    };
    const onDrain = (): void => {
      engine.resume();
    };
    const onEnd = (): void => {
      // What an engine leaves unfinished at its regular end is passed on as it is.
      release();
      client.once('finish', () => settle('complete'));
      client.end();
    };
    const onBreak = (cause: unknown): void => {
      // An error is followed by a close.
      if (settled || broke || engine.readableEnded) return;
      broke = true;
      if (isOver()) {
        onEnd();
        return;
      }
      engine.off('data', onData);
      if (!isEventStream || tornApart || client.writableEnded) {
        client.destroy();
        settle('engine-broke', cause);
        return;
      }
      const { error } = new GatewayError(
        'engine_broke_stream',
        'The engine broke off in the middle of its answer',
      ).toBody();
      // Neither `[DONE]` nor the end of the body: whoever reads must not take this for a whole answer.
      client.write(`data: ${JSON.stringify({ error })}\n\n`, () => {
        client.destroy();
        settle('engine-broke', cause);
      });
    };

    client.on('drain', onDrain);
    client.once('close', () => settle(client.writableFinished ? 'complete' : 'client-left'));
    engine.once('end', onEnd);
    engine.once('error', onBreak);
    engine.once('close', () => onBreak(new Error('closed before its end')));
    if (client.destroyed) settle('client-left');
    else if (engine.destroyed) onBreak(engine.errored ?? new Error('it broke off before its end'));
    else {
      engine.on('data', onData);
      // It may have been held, and then it stands still.
      engine.resume();
    }
  });
}
