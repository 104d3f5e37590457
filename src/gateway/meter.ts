import type { Usage } from '../openai/usage.ts';
import type { RetryCause } from '../routing/retry.ts';
import type { ErrorCode } from '../serving/errors.ts';

/** Where something was measured; every value is from a bounded set. */
export interface MeasuredAt {
  /** The engine's own id of the model. */
  readonly modelName: string;
  readonly engineName: string;
  readonly kind: string;
  readonly runtimeName: string;
}

export interface FinishedRequest {
  /** The engine's own id, also when no engine answered; names that no engine and no alias has are one: `other`. */
  readonly modelName: string;
  /** `chat/completions`, ...; paths that are not well known are one: `other`. */
  readonly endpoint: string;
  /** As the client saw it; 499 when it left, 502 when the engine broke off after the head. */
  readonly status: number;
  /** From the arrival of the request to the end of its answer. */
  readonly seconds: number;
  /** Absent when no engine answered. */
  readonly engine: MeasuredAt | undefined;
  readonly usage: Usage | undefined;
}

/** What the gateway tells of itself. Called once per fact; seconds, never milliseconds. */
export interface GatewayMeter {
  requestStarted(): void;
  requestFinished(request: FinishedRequest): void;
  /** From the arrival of a streamed request to its first content, reasoning or tool call. */
  firstToken(seconds: number, at: MeasuredAt): void;
  /** Between two such events of one stream. */
  interEvent(seconds: number, at: MeasuredAt): void;
  /** An error answer of the gateway's own. */
  error(code: ErrorCode): void;
  retry(cause: RetryCause): void;
  choice(policy: string, reason: string): void;
  clientLeft(): void;
}
