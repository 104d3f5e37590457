import type { Exposition } from '../../src/exposition/exposition.ts';
import { parseExposition } from '../../src/exposition/parse.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { ApiContext } from '../../src/sim/apis/api.ts';
import type { Work } from '../../src/sim/life.ts';
import { contextOf } from '../../src/sim/sim-context.ts';
import { allSimKinds } from '../../src/sim/sim-kinds.ts';
import type { SimSettings } from '../../src/sim/sim-settings.ts';
import { ManualClock } from './manual-clock.ts';

export const simSettings: SimSettings = {
  kind: 'vllm',
  model: 'm',
  profile: 'llama-3-8b-h100',
  ranks: 1,
  maxNumSeqs: undefined,
  speed: 1,
  seed: 1,
  host: '127.0.0.1',
  port: 0,
};

/** A simulated engine without its listener, in virtual time. */
export function virtualSim(settings: Partial<SimSettings>): { clock: ManualClock; sim: ApiContext } {
  const clock = new ManualClock();
  const all = { ...simSettings, ...settings };
  const kind = allSimKinds.find((one) => one.kind === all.kind);
  if (kind === undefined) throw new Error(`no kind ${all.kind}`);
  return { clock, sim: contextOf(kind, all, { clock, log: silentLog }) };
}

export function work(promptTokens: number, outputTokens: number, more: Partial<Work> = {}): Work {
  return {
    promptTokens,
    promptBlocks: [],
    outputTokens,
    finishReason: 'length',
    maxTokens: outputTokens,
    streamed: true,
    ...more,
  };
}

export function pageOfSim(sim: ApiContext): Exposition {
  return parseExposition(new TextEncoder().encode(sim.page()), 'text-0.0.4');
}

/** The sum of a family's samples, over whatever labels are not asked for; undefined when there is none. */
export function totalOf(
  page: Exposition,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const mine = page.samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return mine.length === 0 ? undefined : mine.reduce((sum, { value }) => sum + value, 0);
}
