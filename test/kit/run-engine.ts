import { type EngineState, hasWork } from '../../src/sim/model/engine.ts';
import type { EngineEvent } from '../../src/sim/model/engine-event.ts';
import { findModelProfile, type ModelProfile } from '../../src/sim/model/model-profile.ts';
import type { RequestSpec } from '../../src/sim/model/sequence.ts';
import { type StepResult, step } from '../../src/sim/model/step.ts';

export interface Timeline {
  readonly arrivals: readonly { readonly atMs: number; readonly spec: RequestSpec }[];
  readonly aborts?: readonly { readonly atMs: number; readonly id: string }[];
}

/** Steps an engine model through a timeline in virtual time until all work is done; fails when it does not end. */
export function runEngine(
  state: EngineState,
  timeline: Timeline,
  options: { readonly maxSteps?: number; readonly afterStep?: (result: StepResult) => void } = {},
): readonly EngineEvent[] {
  const arrivals = timeline.arrivals.toSorted((one, other) => one.atMs - other.atMs);
  const aborts = (timeline.aborts ?? []).toSorted((one, other) => one.atMs - other.atMs);
  const events: EngineEvent[] = [];
  let nowMs = 0;
  let steps = 0;
  while (hasWork(state) || arrivals.length > 0) {
    const next = arrivals[0]?.atMs ?? nowMs;
    if (!hasWork(state)) nowMs = Math.max(nowMs, next);
    const result = step(state, {
      nowMs,
      arrivals: takeUntil(arrivals, nowMs).map(({ spec }) => spec),
      aborts: takeUntil(aborts, nowMs).map(({ id }) => id),
    });
    options.afterStep?.(result);
    for (const event of result.events) events.push(event);
    nowMs += result.elapsedMs;
    steps += 1;
    if (steps > (options.maxSteps ?? 1e6)) throw new Error(`still at work after ${steps} steps`);
  }
  return events;
}

/** The events of one type, of one request when `id` is given. */
export function eventsOf<T extends EngineEvent['type']>(
  events: readonly EngineEvent[],
  type: T,
  id?: string,
): readonly Extract<EngineEvent, { type: T }>[] {
  return events.filter(
    (event): event is Extract<EngineEvent, { type: T }> =>
      event.type === type && (id === undefined || ('id' in event && event.id === id)),
  );
}

export function shippedProfile(slug: string): ModelProfile {
  const profile = findModelProfile(slug);
  if (profile === undefined) throw new Error(`no profile ${slug}`);
  return profile;
}

export function request(
  id: string,
  promptTokens: number,
  outputTokens: number,
  more: Partial<RequestSpec> = {},
): RequestSpec {
  return { id, promptTokens, outputTokens, finishReason: 'stop', ...more };
}

/** Removes and returns the entries due at `nowMs`. */
function takeUntil<T extends { readonly atMs: number }>(list: T[], nowMs: number): T[] {
  const later = list.findIndex(({ atMs }) => atMs > nowMs);
  return list.splice(0, later < 0 ? list.length : later);
}
