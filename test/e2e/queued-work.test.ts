import { afterEach, expect, test } from 'vitest';

import { eventually, startFleet, type TestFleet } from './fleet.ts';

let fleet: TestFleet | undefined;

afterEach(() => fleet?.stop());

function chat(url: string, body: object, signal?: AbortSignal): Promise<string> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ stream: true, messages: [{ role: 'user', content: 'A story' }], ...body }),
    ...(signal === undefined ? {} : { signal }),
  }).then((answer) => answer.text());
}

function inFlight(url: string, count: number): Promise<void> {
  return eventually(async () =>
    expect(await series(url, '/metrics', 'penstock:engine_in_flight')).toEqual([count]),
  );
}

/** Three chats of which an engine that runs one at a time queues two; ended by aborting. */
function threeChats(url: string, model: string): AbortController {
  const leave = new AbortController();
  for (let at = 0; at < 3; at += 1) {
    chat(url, { model, max_tokens: 4000, ignore_eos: true }, leave.signal).catch(() => {});
  }
  return leave;
}

async function series(url: string, path: string, name: string): Promise<readonly number[]> {
  const text = await (await fetch(`${url}${path}`, { headers: { accept: 'text/plain' } })).text();
  return [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))].map(([, value]) =>
    Number(value),
  );
}

test.each(['vllm', 'sglang', 'llama-cpp', 'strata', 'trtllm'])(
  'a %s that runs one request and queues two is seen as running 1, waiting 2',
  async (kind) => {
    fleet = await startFleet([{ kind, model: 'm', maxNumSeqs: 1, speed: 1 }]);
    const { url } = fleet;
    await eventually(async () => {
      const models = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
      expect(models.data.map(({ id }) => id)).toContain('m');
    });
    // TensorRT-LLM's gauges move only when a request completes: a short one goes first and does.
    const short = kind === 'trtllm' ? chat(url, { model: 'm', max_tokens: 60, ignore_eos: true }) : undefined;
    if (short !== undefined) await inFlight(url, 1);
    const leave = threeChats(url, 'm');
    await short;
    try {
      for (const path of ['/metrics', `/engines/${kind}-0/metrics`]) {
        await eventually(async () => {
          expect(await series(url, path, 'vllm:num_requests_running')).toEqual([1]);
          expect(await series(url, path, 'vllm:num_requests_waiting')).toEqual([2]);
        });
      }
      const record = (await (await fetch(`${url}/metrics`)).json()) as {
        engines: { signals?: { running?: number; waiting?: number } }[];
      };
      expect(record.engines[0]?.signals).toMatchObject({ running: 1, waiting: 2 });
    } finally {
      leave.abort();
    }
  },
);

test('an ollama with three requests of ours is seen as three in flight, with no running or waiting series', async () => {
  fleet = await startFleet([{ kind: 'ollama', model: 'm', maxNumSeqs: 1, speed: 1 }]);
  const { url } = fleet;
  await eventually(async () => {
    const models = (await (await fetch(`${url}/v1/models`)).json()) as { data: { id: string }[] };
    expect(models.data.map(({ id }) => id)).toContain('m');
  });
  const leave = threeChats(url, 'm');
  try {
    for (const path of ['/metrics', '/engines/ollama-0/metrics']) {
      await eventually(async () => {
        expect(await series(url, path, 'penstock:engine_in_flight')).toEqual([3]);
        expect(await series(url, path, 'vllm:num_requests_running')).toEqual([]);
        expect(await series(url, path, 'vllm:num_requests_waiting')).toEqual([]);
      });
    }
  } finally {
    leave.abort();
  }
});
