import OpenAI from 'openai';
import { afterAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SIM_KINDS, SimServers } from '../../test/kit/sim-servers.ts';
import { profileOf } from '../engines/index.ts';
import { readSignals, type Signals } from '../engines/signals.ts';
import { parseExposition } from '../exposition/parse.ts';
import { systemClock } from '../kit/clock.ts';
import { UsageError } from '../kit/usage-error.ts';

const servers = new SimServers();
afterAll(() => servers.stop());

async function signalsOf(kind: string, url: string): Promise<Signals> {
  const profile = profileOf(kind);
  if (profile?.metrics === undefined) throw new Error(`${kind} has no metrics`);
  const { path, query = '', accept } = profile.metrics;
  const response = await fetch(`${url}${path}?${query}`, { headers: { accept } });
  expect(response.status).toBe(200);
  return readSignals(
    profile,
    parseExposition(new Uint8Array(await response.arrayBuffer()), 'text-0.0.4').samples,
  );
}

/** Asks again until it is so: real engines show things at moments of their own. */
async function eventually(check: () => Promise<void>): Promise<void> {
  const until = systemClock.now() + 8000;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (systemClock.now() > until) throw error;
      await systemClock.sleep(10);
    }
  }
}

test.each(['vllm', 'sglang', 'llama-cpp', 'strata'])(
  '%s with room for one shows one running and two waiting, and none once their clients left',
  async (kind) => {
    const { url } = await servers.start({ kind, maxNumSeqs: 1, profile: 'llama-3-8b-h100', speed: 10 });
    const leave = new AbortController();
    const long = { ...HELLO, stream: true, ignore_eos: true, max_tokens: 20_000 };
    const streams = Array.from({ length: 3 }, () =>
      post(`${url}${CHAT}`, long, {}, leave.signal)
        .then((response) => response.text())
        .catch(() => 'left'),
    );
    await eventually(async () => {
      const { running, waiting } = await signalsOf(kind, url);
      expect({ running, waiting }).toEqual({ running: 1, waiting: 2 });
    });
    leave.abort();
    await Promise.all(streams);
    await eventually(async () => {
      const { running, waiting } = await signalsOf(kind, url);
      expect({ running, waiting }).toEqual({ running: 0, waiting: 0 });
    });
  },
);

test('trtllm shows one running and two waiting once a request is complete', async () => {
  const kind = 'trtllm';
  const { url } = await servers.start({ kind, maxNumSeqs: 1, profile: 'llama-3-8b-h100', speed: 10 });
  const leave = new AbortController();
  const long = { ...HELLO, stream: true, ignore_eos: true, max_tokens: 20_000 };
  const short = post(`${url}${CHAT}`, { ...HELLO, max_tokens: 100 });
  await systemClock.sleep(20);
  const streams = Array.from({ length: 3 }, () =>
    post(`${url}${CHAT}`, long, {}, leave.signal)
      .then((response) => response.text())
      .catch(() => 'left'),
  );
  expect((await short).status).toBe(200);
  await eventually(async () => {
    const { running, waiting } = await signalsOf(kind, url);
    expect({ running, waiting }).toEqual({ running: 1, waiting: 2 });
  });
  leave.abort();
  await Promise.all(streams);
});

test.each(SIM_KINDS)('a client of %s that leaves an unstreamed request frees its place', async (kind) => {
  const { url } = await servers.start({ kind, maxNumSeqs: 1, profile: 'llama-3-8b-h100', speed: 10 });
  const leave = new AbortController();
  const long = { ...HELLO, ignore_eos: true, max_tokens: 20_000 };
  const left = post(`${url}${CHAT}`, long, {}, leave.signal).catch(() => 'left');
  await systemClock.sleep(30);
  leave.abort();
  expect(await left).toBe('left');
  const next = await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 2 });
  expect(next.status).toBe(200);
  await next.text();
});

test.each(SIM_KINDS)(
  'a killed %s cuts its streams without an end, and nobody listens any more',
  async (kind) => {
    const sim = await servers.start({ kind, profile: 'llama-3-8b-h100', speed: 10 });
    const body = { ...HELLO, stream: true, ignore_eos: true, max_tokens: 20_000 };
    const response = await post(`${sim.url}${CHAT}`, body);
    const reader = response.body?.getReader();
    await reader?.read();
    await sim.kill();
    const rest = async (): Promise<string> => {
      let text = '';
      for (;;) {
        const part = await reader?.read();
        if (part?.done !== false) return text;
        text += new TextDecoder().decode(part.value);
      }
    };
    // Over HTTP/1.0 the end of the connection is the end of the body: there only the missing [DONE] tells.
    if (kind === 'strata') expect(await rest()).not.toContain('[DONE]');
    else await expect(rest()).rejects.toThrow();
    await expect(fetch(`${sim.url}/health`)).rejects.toThrow();
  },
);

test.each(SIM_KINDS)('the official client talks to %s', async (kind) => {
  const { url } = await servers.start({ kind });
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', maxRetries: 0 });
  const { data } = await client.models.list();
  expect(data.map(({ id }) => id)).toEqual([kind === 'ollama' ? 'm:latest' : 'm']);
  const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'Hello' }], max_tokens: 20 };
  const whole = await client.chat.completions.create(ask);
  expect(whole.choices[0]?.finish_reason).toBe('length');
  expect(whole.usage?.completion_tokens).toBe(20);
  let text = '';
  for await (const chunk of await client.chat.completions.create({ ...ask, stream: true })) {
    text += chunk.choices[0]?.delta.content ?? '';
  }
  expect(text).toBe(whole.choices[0]?.message.content);
});

test('engines of one seed say the same, of another seed something else', async () => {
  const say = async (seed: number): Promise<unknown> => {
    const { url } = await servers.start({ kind: 'vllm', seed });
    const answer = (await (await post(`${url}${CHAT}`, HELLO)).json()) as {
      choices: { message: { content: string } }[];
    };
    return answer.choices[0]?.message.content;
  };
  expect(await say(7)).toBe(await say(7));
  expect(await say(7)).not.toBe(await say(8));
});

test.each([
  [{ kind: 'lmstudio' }, 'no engine of kind "lmstudio" can be simulated; there are: vllm, sglang'],
  [{ kind: 'vllm', profile: 'nope' }, 'there is no model profile "nope"; there are: llama-3-8b-h100'],
  [{ kind: 'llama-cpp', ranks: 2 }, '--ranks: llama-cpp has no data-parallel ranks'],
])('%j is refused with a reason', async (settings, message) => {
  const refused = servers.start(settings);
  await expect(refused).rejects.toThrow(message);
  await expect(refused).rejects.toBeInstanceOf(UsageError);
});
