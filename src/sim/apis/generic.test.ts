import { afterAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SimServers } from '../../../test/kit/sim-servers.ts';
import { detectKind, evidenceOfPage } from '../../engines/detect.ts';
import type { Answer, Evidence } from '../../engines/evidence.ts';
import { profileOf } from '../../engines/index.ts';
import { parseExposition } from '../../exposition/parse.ts';
import { allSimKinds } from '../sim-kinds.ts';

const servers = new SimServers();
afterAll(() => servers.stop());

async function answerOf(url: string): Promise<Answer> {
  const response = await fetch(url, { headers: { accept: 'text/plain;version=0.0.4' } });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  };
}

/** All that a look could ask for. */
async function evidenceOf(kind: string, url: string): Promise<Evidence> {
  const profile = profileOf(kind);
  const { path = '/metrics', query = 'model=m' } = profile?.metrics ?? {};
  const page = await answerOf(`${url}${path}?${query}&model=m`);
  return {
    health: await answerOf(`${url}/health`),
    version: await answerOf(`${url}/version`),
    models: await answerOf(`${url}/v1/models`),
    root: await answerOf(`${url}/`),
    ...(profile?.confirmPath === undefined
      ? {}
      : { confirmed: await answerOf(`${url}${profile.confirmPath}`) }),
    ...(profile?.page === undefined
      ? {}
      : evidenceOfPage(parseExposition(new TextEncoder().encode(page.body), 'text-0.0.4'))),
  };
}

const KINDS = allSimKinds.map(({ kind }) => kind);

/** Nothing tells these from another kind, as their profiles say. */
const TAKEN_FOR: Readonly<Record<string, string>> = { 'ik-llama-cpp': 'llama-cpp' };

test.each(KINDS)('%s is taken for what it is, and answers a chat, streamed and whole', async (kind) => {
  const { url } = await servers.start({ kind });
  const whole = await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 5 });
  expect(whole.status).toBe(200);
  expect(await whole.json()).toMatchObject({
    choices: [{ finish_reason: 'length' }],
    usage: { completion_tokens: 5 },
  });
  const streamed = await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 5, stream: true });
  expect(await streamed.text()).toMatch(/\n\ndata: \[DONE\]\n\n$/);

  const { profile } = detectKind(await evidenceOf(kind, url));
  expect(profile.kind).toBe(TAKEN_FOR[kind] ?? kind);
});

test.each(KINDS.filter((kind) => profileOf(kind)?.version !== undefined))(
  '%s says its version where its profile looks for it',
  async (kind) => {
    const { url } = await servers.start({ kind });
    const { path = '', field = '' } = profileOf(kind)?.version ?? {};
    let value: unknown = await (await fetch(`${url}${path}`)).json();
    for (const name of field.split('.')) value = (value as Record<string, unknown>)[name];
    expect(value).toMatch(/\S/);
  },
);

test.each(KINDS.filter((kind) => profileOf(kind)?.checksModel === true))(
  '%s refuses a model that it does not serve, as its profile says',
  async (kind) => {
    const { url } = await servers.start({ kind });
    const refused = await post(`${url}${CHAT}`, { ...HELLO, model: 'other' });
    expect([400, 404]).toContain(refused.status);
    expect(await refused.text()).toContain('other');
  },
);
