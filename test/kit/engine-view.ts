import type { ServedModel } from '../../src/engines/models.ts';
import type { Signals } from '../../src/engines/signals.ts';
import type { EngineView } from '../../src/fleet/engine-view.ts';

export function servedModel(id: string, over: Partial<ServedModel> = {}): ServedModel {
  return { id, aliases: [], maxModelTokens: undefined, loaded: undefined, created: undefined, ...over };
}

export function signalsOf(over: Partial<Signals> = {}): Signals {
  return {
    running: 0,
    waiting: 0,
    kvUsage: undefined,
    kvCapacityTokens: undefined,
    promptTokens: undefined,
    generationTokens: undefined,
    prefixQueries: undefined,
    prefixHits: undefined,
    preemptions: undefined,
    successes: undefined,
    progress: undefined,
    sleeping: undefined,
    processStartedAt: undefined,
    ranks: [],
    ...over,
  };
}

/** An idle, healthy vLLM that serves `m`. */
export function engineView(name: string, over: Partial<EngineView> = {}): EngineView {
  return {
    name,
    kind: 'vllm',
    runtime: 'vllm-m',
    health: 'up',
    contract: 'complete',
    models: [servedModel('m')],
    listState: 'read',
    apis: undefined,
    signals: signalsOf(),
    signalsAgeMs: 0,
    inFlight: 0,
    sentSinceReport: 0,
    finishedSinceReport: 0,
    probeAllowed: false,
    breaker: 'closed',
    breakerAdmits: true,
    share: 1,
    ...over,
  };
}
