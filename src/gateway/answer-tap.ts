import { ByteBlocks } from '../kit/byte-blocks.ts';
import type { Clock } from '../kit/clock.ts';
import { parsedOrUndefined } from '../openai/json.ts';
import { SseSplitter } from '../openai/sse.ts';
import { readStreamEvent, type StreamEvent } from '../openai/stream-event.ts';
import { laterUsage, type Usage, usageOf } from '../openai/usage.ts';

/** Reads the bytes of an answer as they pass, without changing or delaying them. */
export interface AnswerTap {
  /** @returns how many bytes of this chunk lead up to the end of a whole event; all of them when it is no stream */
  read(chunk: Uint8Array): number;
  /** Known at the end of the answer, where the engine tells it; not asked for before. */
  usage(): Usage | undefined;
  /** How an answer went that came to its regular end. */
  ending(): Ending;
  /** Whether its last event was there: whatever happens to the connection now, nothing is missing. */
  isOver(): boolean;
}

/**
 * `unfinished`: the stream stopped without any of the signs that close one of its form; over HTTP/1.0 that is all that
 * is seen of an engine's death. `failed`: the engine said in it that it failed.
 */
export type Ending = 'whole' | 'unfinished' | 'failed';

export interface StreamTimes {
  /** Monotonic milliseconds of the first event with text, reasoning or a tool call. */
  first(at: number): void;
  /** Milliseconds between such an event and the one before. */
  gap(ms: number): void;
}

/** For `text/event-stream`. */
export function streamTap(clock: Clock, times: StreamTimes): AnswerTap {
  const splitter = new SseSplitter();
  let usage: Usage | undefined;
  let lastOutputAt: number | undefined;
  let state: StreamState = 'untold';
  let over = false;
  return {
    read(chunk) {
      const { events, wholeUpTo } = splitter.push(chunk);
      for (const { data } of events) {
        const event = readStreamEvent(data);
        usage = laterUsage(usage, event.usage);
        state = stateAfter(state, event);
        over ||= event.closes;
        if (event.brings !== 'output') continue;
        const now = clock.now();
        if (lastOutputAt === undefined) times.first(now);
        else times.gap(now - lastOutputAt);
        lastOutputAt = now;
      }
      return wholeUpTo;
    },
    usage: () => usage,
    ending: () => (state === 'open' ? 'unfinished' : state === 'failed' ? 'failed' : 'whole'),
    isOver: () => over,
  };
}

type StreamState = 'untold' | 'open' | 'closed' | 'failed';

function stateAfter(before: StreamState, { brings, status = 500, known, ends }: StreamEvent): StreamState {
  if (before === 'failed' || !known) return before;
  // An error that the request is to blame for ends its answer like any other.
  if (brings === 'error') return status >= 500 ? 'failed' : 'closed';
  // What follows a finish chunk (usage) opens nothing again.
  return ends || before === 'closed' ? 'closed' : 'open';
}

/** A larger answer's usage is not read: it would have to be kept whole. */
const MAX_JSON_BYTES = 1_048_576;

/** For `application/json`. */
export function jsonTap(): AnswerTap {
  const body = new ByteBlocks();
  let bytes = 0;
  let parsed: { readonly value: unknown; readonly broken: boolean } | undefined;
  const answer = () => {
    if (parsed !== undefined) return parsed;
    const text = bytes > MAX_JSON_BYTES ? '' : body.whole().toString();
    const value = parsedOrUndefined(text);
    parsed = { value, broken: value === undefined && /^\s*[[{]/.test(text) };
    return parsed;
  };
  return {
    read(chunk) {
      bytes += chunk.byteLength;
      if (bytes > MAX_JSON_BYTES) body.clear();
      else body.add(chunk);
      return chunk.byteLength;
    },
    usage: () => usageOf(answer().value),
    // Over HTTP/1.0 an engine's death in the middle of its JSON looks like its end.
    ending: () => (answer().broken ? 'unfinished' : 'whole'),
    isOver: () => false,
  };
}

/** For anything else, compressed answers included. */
export const blindTap: AnswerTap = {
  read: (chunk) => chunk.byteLength,
  usage: () => undefined,
  ending: () => 'whole',
  isOver: () => false,
};
