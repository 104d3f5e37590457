import { systemClock } from '../../src/kit/clock.ts';
import { silentLog } from '../../src/kit/log.ts';
import { type Sim, type SimSettings, startSim } from '../../src/sim/start-sim.ts';
import { simSettings } from './sim.ts';

export const SIM_KINDS = ['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata', 'ollama'] as const;
export const CHAT = '/v1/chat/completions';
export const HELLO = {
  model: 'm',
  messages: [{ role: 'user', content: 'What is the capital of France?' }],
};

/** Simulated servers on free ports, fast and small unless a test says otherwise. */
export class SimServers {
  readonly #all: Sim[] = [];
  readonly #byKind = new Map<string, Sim>();

  async start(settings: Partial<SimSettings>): Promise<Sim> {
    const all = { ...simSettings, profile: 'home-8b-q4', speed: 100, ...settings };
    const sim = await startSim(all, { clock: systemClock, log: silentLog });
    this.#all.push(sim);
    return sim;
  }

  async startEachKind(): Promise<void> {
    for (const kind of SIM_KINDS) this.#byKind.set(kind, await this.start({ kind }));
  }

  urlOf(kind: string): string {
    return this.#byKind.get(kind)?.url ?? '';
  }

  async stop(): Promise<void> {
    await Promise.all(this.#all.map((sim) => sim.stop()));
  }
}

export function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}
