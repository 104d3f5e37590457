import type { ServerResponse } from 'node:http';

import type { Usage } from '../openai/usage.ts';
import type { Exchange } from '../serving/routes.ts';
import { type AnswerTap, blindTap, type Ending, jsonTap, streamTap } from './answer-tap.ts';
import type { Forwarded } from './forward.ts';
import type { GatewayParts } from './gateway-parts.ts';
import { answerIs, headersForClient } from './headers.ts';
import type { MeasuredAt } from './meter.ts';
import { type PipeResult, pipeAnswer } from './pipe.ts';
import type { RawHeaders } from './upstream.ts';

export interface Served extends PipeResult {
  readonly usage: Usage | undefined;
  /** From the arrival of the request; streams only, and only when something was said. */
  readonly firstTokenMs: number | undefined;
  readonly ending: Ending;
}

/** Head and body of an engine's answer, to the client, measured on the way. */
export async function serveAnswer(
  { clock, meter }: Pick<GatewayParts, 'clock' | 'meter'>,
  { response, requestId, receivedAt }: Pick<Exchange, 'response' | 'requestId' | 'receivedAt'>,
  { engine, answer, lease }: Forwarded,
  at: MeasuredAt,
): Promise<Served> {
  let firstTokenMs: number | undefined;
  const isEventStream = answerIs(answer.headers, 'text/event-stream');
  const tap = tapFor(answer.headers, () =>
    streamTap(clock, {
      first(now) {
        firstTokenMs = now - receivedAt;
        meter.firstToken(firstTokenMs / 1_000, at);
      },
      gap: (ms) => meter.interEvent(ms / 1_000, at),
    }),
  );
  writeHead(
    response,
    answer.status,
    headersForClient(answer.headers, {
      engine: engine.name,
      engineUrl: engine.settings.url,
      requestId,
      isEventStream,
    }),
  );
  if (isEventStream) response.flushHeaders();
  const read = (chunk: Uint8Array): number => {
    lease.heard();
    return tap.read(chunk);
  };
  const piped = await pipeAnswer(answer.body, response, { read, isOver: tap.isOver, isEventStream });
  return { ...piped, usage: tap.usage(), firstTokenMs, ending: tap.ending() };
}

function writeHead(response: ServerResponse, status: number, headers: RawHeaders): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(status, headers.flat());
}

function tapFor(headers: RawHeaders, newStreamTap: () => AnswerTap): AnswerTap {
  if (answerIs(headers, 'text/event-stream')) return newStreamTap();
  return answerIs(headers, 'application/json') ? jsonTap() : blindTap;
}
