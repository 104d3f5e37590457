import { expect, test, vi } from 'vitest';
import { useApp } from '../kit/app-gateway.ts';
import { jsonAnswer } from '../kit/fake-engine.ts';
import { useAnswers } from '../kit/use-answers.ts';

const { appTo, engineThat } = useApp();
const answering = useAnswers();

const GONE = 'http://127.0.0.1:1';
const vllm = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/metrics': 'vllm:num_requests_running 0\nvllm:num_requests_waiting 0\n',
};

async function ask(url: string, model: string) {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [] }),
  });
  const { headers, status } = response;
  const { error } = (await response.json()) as { error?: { code: string; message: string } };
  return { status, code: error?.code, retryAfter: headers.get('retry-after'), message: error?.message };
}

test('a model that nobody lists may be that of an engine that was never reached', async () => {
  const engine = await engineThat((_request, socket) => {
    socket.write(jsonAnswer({}));
  });
  const { url } = await appTo({ here: engine, gone: { url: GONE } });
  await vi.waitFor(async () => {
    const unknown = await ask(url, 'x');
    expect(unknown).toMatchObject({ status: 503, code: 'no_engine_available', retryAfter: '2' });
    expect(unknown.message).toContain('gone (down)');
  }, 5_000);
  expect((await ask(url, 'm')).status).toBe(200);
  expect((await fetch(`${url}/v1/models/x`)).status).toBe(503);
  expect((await fetch(`${url}/v1/models/m`)).status).toBe(200);
});

test.each([401, 403])(
  'or that of an engine whose list answers %d: its key is wrong, which is no 404',
  async (status) => {
    const locked = await answering({ ...vllm, '/v1/models': { status, body: '{}' } });
    const { url } = await appTo({ locked: { url: locked } });
    await vi.waitFor(async () => {
      const unknown = await ask(url, 'x');
      expect(unknown).toMatchObject({ status: 502, code: 'engine_auth', retryAfter: null });
      expect(unknown.message).toContain('locked');
    }, 5_000);
  },
);
