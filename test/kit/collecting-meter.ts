import type { FinishedRequest, GatewayMeter, MeasuredAt } from '../../src/gateway/meter.ts';

export interface CollectedMeter extends GatewayMeter {
  readonly finished: FinishedRequest[];
  readonly firstTokens: { readonly seconds: number; readonly at: MeasuredAt }[];
  readonly gaps: number[];
  readonly errors: string[];
  readonly retries: string[];
  readonly choices: string[];
  readonly left: () => number;
  /** Requests that started and did not finish. */
  readonly open: () => number;
}

/** A meter that keeps what it is told. */
export function collectingMeter(): CollectedMeter {
  const finished: FinishedRequest[] = [];
  const firstTokens: CollectedMeter['firstTokens'] = [];
  const gaps: number[] = [];
  const errors: string[] = [];
  const retries: string[] = [];
  const choices: string[] = [];
  let started = 0;
  let left = 0;
  return {
    finished,
    firstTokens,
    gaps,
    errors,
    retries,
    choices,
    left: () => left,
    open: () => started - finished.length,
    requestStarted() {
      started += 1;
    },
    requestFinished: (request) => void finished.push(request),
    firstToken: (seconds, at) => void firstTokens.push({ seconds, at }),
    interEvent: (seconds) => void gaps.push(seconds),
    error: (code) => void errors.push(code),
    retry: (cause) => void retries.push(cause),
    choice: (policy, reason) => void choices.push(`${policy}:${reason}`),
    clientLeft() {
      left += 1;
    },
  };
}
