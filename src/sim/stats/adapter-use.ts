import type { RequestEvent } from '../model/engine-event.ts';

/** Which adapters one rank's requests use at the moment. Requests without one do not count. */
export class AdapterUse {
  readonly #requests = new Map<string, { readonly adapter: string; readonly running: boolean }>();

  note({ id, type }: RequestEvent, adapter: string): void {
    if (type === 'finished') this.#requests.delete(id);
    else if (type === 'queued' || type === 'preempted') this.#requests.set(id, { adapter, running: false });
    else if (type === 'scheduled') this.#requests.set(id, { adapter, running: true });
  }

  /** Names in order, comma between, as the labels of `vllm:lora_requests_info` have them. */
  get running(): string {
    return this.#names(true);
  }

  get waiting(): string {
    return this.#names(false);
  }

  #names(running: boolean): string {
    const mine = [...this.#requests.values()].filter((request) => request.running === running);
    return [...new Set(mine.map(({ adapter }) => adapter))].sort().join(',');
  }
}
