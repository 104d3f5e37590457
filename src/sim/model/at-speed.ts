import type { EngineEvent } from './engine-event.ts';

/** The event on a clock that runs `speed` times slower than the engine's own: instants and durations alike. */
export function atSpeed(event: EngineEvent, speed: number): EngineEvent {
  const slow = (ms: number): number => ms / speed;
  const atMs = slow(event.atMs);
  if (event.type === 'scheduled') return { ...event, atMs, queuedMs: slow(event.queuedMs) };
  if (event.type === 'prefilled') return { ...event, atMs, prefillMs: slow(event.prefillMs) };
  if (event.type !== 'evicted') return { ...event, atMs };
  const { lifetimeMs, idleMs, reuseGapsMs } = event;
  return {
    ...event,
    atMs,
    lifetimeMs: slow(lifetimeMs),
    idleMs: slow(idleMs),
    reuseGapsMs: reuseGapsMs.map(slow),
  };
}
