import type { CatalogFamily } from '../catalog/family.ts';
import { familyOf } from '../catalog/index.ts';
import type { WrittenFamily } from '../exposition/write-text.ts';
import { Counter } from './counter.ts';
import { Histogram } from './histogram.ts';

/** Where something was measured: names of the gateway's own, never a client's words. */
export interface MeasuredAt {
  readonly modelName: string;
  readonly engineName: string;
  readonly kind: string;
  readonly runtimeName: string;
}

interface FinishedRequest {
  readonly modelName: string;
  readonly endpoint: string;
  readonly status: number;
  readonly seconds: number;
  /** Absent when no engine answered: then there is no engine whose latency it is. */
  readonly engine: MeasuredAt | undefined;
}

/** What the gateway counts and measures: `penstock:gateway_*`. It is what the gateway's meter asks for. */
export class GatewayMetrics {
  readonly #requests = new Counter(own('penstock:gateway_requests_total'));
  readonly #errors = new Counter(own('penstock:gateway_errors_total'));
  readonly #retries = new Counter(own('penstock:gateway_retries_total'));
  readonly #choices = new Counter(own('penstock:gateway_choices_total'));
  readonly #clientLeft = new Counter(own('penstock:gateway_client_left_total'));
  readonly #firstToken = new Histogram(own('penstock:gateway_time_to_first_token_seconds'));
  readonly #interEvent = new Histogram(own('penstock:gateway_inter_event_seconds'));
  readonly #request = new Histogram(own('penstock:gateway_request_seconds'));
  readonly #version: string;
  #inFlight = 0;

  constructor({ version }: { readonly version: string }) {
    this.#version = version;
  }

  requestStarted(): void {
    this.#inFlight += 1;
  }

  requestFinished({ modelName, endpoint, status, seconds, engine }: FinishedRequest): void {
    this.#inFlight -= 1;
    const statusClass = `${Math.floor(status / 100)}xx`;
    this.#requests.add({ model_name: modelName, endpoint, status_class: statusClass });
    if (engine !== undefined) this.#request.observe(labels(engine), seconds);
  }

  firstToken(seconds: number, at: MeasuredAt): void {
    this.#firstToken.observe(labels(at), seconds);
  }

  interEvent(seconds: number, at: MeasuredAt): void {
    this.#interEvent.observe(labels(at), seconds);
  }

  error(code: string): void {
    this.#errors.add({ code });
  }

  retry(cause: string): void {
    this.#retries.add({ cause });
  }

  choice(policy: string, reason: string): void {
    this.#choices.add({ policy, reason });
  }

  clientLeft(): void {
    this.#clientLeft.add();
  }

  families(): readonly WrittenFamily[] {
    return [
      this.#requests.written(),
      this.#errors.written(),
      this.#retries.written(),
      this.#choices.written(),
      gauge('penstock:gateway_in_flight', {}, this.#inFlight),
      this.#firstToken.written(),
      this.#interEvent.written(),
      this.#request.written(),
      this.#clientLeft.written(),
      gauge('penstock:gateway_info', { version: this.#version }, 1),
    ].filter(({ samples }) => samples.length > 0);
  }

  /** What was measured, for those who show it under another name. */
  latencies(): Readonly<Record<'firstToken' | 'interEvent' | 'request', Histogram>> {
    return { firstToken: this.#firstToken, interEvent: this.#interEvent, request: this.#request };
  }
}

function labels({ modelName, engineName, kind, runtimeName }: MeasuredAt): Record<string, string> {
  return { model_name: modelName, engine_name: engineName, kind, runtime_name: runtimeName };
}

function gauge(name: string, of: Record<string, string>, value: number): WrittenFamily {
  return { name, type: 'gauge', help: own(name).help, samples: [{ name, labels: of, value }] };
}

function own(name: string): CatalogFamily {
  const family = familyOf(name);
  if (family === undefined) throw new Error(`the catalogue has no ${name}`);
  return family;
}
