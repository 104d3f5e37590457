import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { post, SimServers } from '../../../test/kit/sim-servers.ts';

/** Answers recorded from a real llama-server v0.4.0. */
const RECORDED = join(import.meta.dirname, '../../../test/fixtures/engine-apis');

const servers = new SimServers();
let url = '';
beforeAll(async () => {
  ({ url } = await servers.start({ kind: 'llama-cpp', model: 'tiny' }));
});
afterAll(() => servers.stop());

interface Recording {
  readonly method: string;
  readonly path: string;
  readonly request: string;
  readonly headers: readonly string[];
  readonly body: string;
}

function recording(name: string): Recording {
  const text = readFileSync(join(RECORDED, `llamacpp-${name}.txt`), 'utf8');
  const [, method = '', path = '', request = ''] = /^> (\S+) (\S+) *(.*)\n/.exec(text) ?? [];
  const [head = '', ...body] = text.slice(text.indexOf('\n') + 1).split(/\r?\n\r?\n/);
  const headers = head
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(':')[0]?.toLowerCase() ?? '');
  return { method, path, request, headers, body: body.join('\n\n') };
}

/** Names and types in their order, without the values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.entries(value).map(([key, item]) => [key, shapeOf(item)]);
}

/** The shapes of a stream's events, repeats left out. */
function shapesOf(stream: string): readonly string[] {
  const shapes = stream
    .split('\n\n')
    .filter((event) => event.trim() !== '')
    .map((event) => event.replace(/^data: /, '').trim())
    .map((data) => (data === '[DONE]' ? data : JSON.stringify(shapeOf(JSON.parse(data)))));
  return shapes.filter((shape, at) => shape !== shapes[at - 1]);
}

test.each([
  'chat-stream',
  'chat-stream-length',
  'chat-stream-include-usage',
  'chat-stream-include-usage-false',
  'completions-stream',
])('a simulated llama-cpp streams %s in the shapes and the order of the recording', async (name) => {
  const { path, request, headers, body } = recording(name);
  const response = await post(`${url}${path}`, request);
  const text = await response.text();
  expect(shapesOf(text)).toEqual(shapesOf(body));
  const sent = [...response.headers.keys()];
  expect(headers.filter((header) => !sent.includes(header) && header !== 'connection')).toEqual([]);
});

test('a simulated llama-cpp answers a whole chat in the shape of the recording', async () => {
  const { path, request, body } = recording('chat-nonstream');
  const answer: unknown = await (await post(`${url}${path}`, request)).json();
  expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(body)));
});

test.each(['get-health', 'get-v1-models', 'err-404-get'])(
  'a simulated llama-cpp answers %s in the shape of the recording',
  async (name) => {
    const { path, body } = recording(name);
    const answer: unknown = await (await fetch(`${url}${path}`)).json();
    expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(body)));
  },
);

test('a simulated llama-cpp words a malformed body as the recording does', async () => {
  const { path, request, body } = recording('err-malformed-json');
  const response = await post(`${url}${path}`, request);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual(JSON.parse(body));
});

test('a simulated llama-cpp guards the very paths of the recording', async () => {
  const guarded = await servers.start({ kind: 'llama-cpp', model: 'tiny', key: 'sk-one' });
  const lines = readFileSync(join(RECORDED, 'llamacpp-key-guarded-paths.txt'), 'utf8').split('\n');
  const cases = lines.flatMap((line) => {
    const match = /^([A-Z]+) (\S+) -> (\d+)$/.exec(line);
    return match === null ? [] : [{ method: match[1] ?? '', path: match[2] ?? '', status: Number(match[3]) }];
  });
  expect(cases.length).toBeGreaterThan(15);
  for (const { method, path, status } of cases) {
    const response = await fetch(`${guarded.url}${path}`, { method });
    await response.text();
    expect([method, path, response.status]).toEqual([method, path, status]);
  }
});
