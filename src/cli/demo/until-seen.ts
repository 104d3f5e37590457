import type { Clock } from '../../kit/clock.ts';

const LOOK_EVERY_MS = 50;
const AT_MOST_MS = 10_000;

/** Waits until the gateway shows the load of each of these engines: what is printed next must work at once. */
export async function untilSeen(url: string, engines: readonly string[], clock: Clock): Promise<void> {
  const until = clock.now() + AT_MOST_MS;
  for (;;) {
    const page = await (await fetch(`${url}/metrics/prometheus`)).text();
    const lines = page.split('\n').filter((line) => line.startsWith('vllm:num_requests_running{'));
    const unseen = engines.filter((name) => !lines.some((line) => line.includes(`engine_name="${name}"`)));
    if (unseen.length === 0) return;
    if (clock.now() > until) throw new Error(`the gateway sees nothing of ${unseen.join(', ')}`);
    await clock.sleep(LOOK_EVERY_MS);
  }
}
