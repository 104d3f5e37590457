import type { Clock } from '../kit/clock.ts';
import { type Log, reason } from '../kit/log.ts';
import { type Listener, type ListenOptions, listen } from '../serving/listen.ts';
import type { RequestHandler } from '../serving/routes.ts';

/** A listener whose address is known before anybody listens there. */
export type LateListener = Pick<Listener, 'url' | 'port' | 'stop' | 'kill'>;

/**
 * Takes the port, lets it go again so that connections are refused, and listens there after `refusedMs`.
 * @throws Error when the address cannot be had at first; when it cannot be had again, the log says so
 */
export async function listenLate(
  handler: RequestHandler,
  options: ListenOptions,
  { refusedMs, clock, log }: { refusedMs: number; clock: Clock; log: Log },
): Promise<LateListener> {
  const first = await listen(handler, options);
  if (refusedMs <= 0) return first;
  const { url, port } = first;
  await first.stop();
  const stopping = new AbortController();
  const later = clock
    .sleep(refusedMs, stopping.signal)
    .then(() => listen(handler, { ...options, port }))
    .catch((error: unknown) => {
      if (!stopping.signal.aborted) {
        log.error('a simulated engine lost its port while it loaded', { port, reason: reason(error) });
      }
    });
  const end = async (how: 'stop' | 'kill'): Promise<void> => {
    stopping.abort();
    const listener = await later;
    await listener?.[how]();
  };
  return { url, port, stop: () => end('stop'), kill: () => end('kill') };
}
