import { PassThrough, type Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

import { textEvent } from '../../test/kit/fake-engine.ts';
import { ManualClock, settle } from '../../test/kit/manual-clock.ts';
import { holdAnswer } from './hold.ts';

const stream = ['content-type', 'text/event-stream; charset=utf-8'] as const;
const json = ['content-type', 'application/json'] as const;

function holding(status: number, header: readonly [string, string], headAfterMs = 10_000) {
  const clock = new ManualClock();
  const body = new PassThrough();
  body.on('error', () => {});
  const held = holdAnswer({ status, headers: [header], body }, { clock, headAfterMs });
  held.catch(() => {});
  return { clock, body, held };
}

async function isHeld(held: Promise<unknown>): Promise<boolean> {
  const undecided = Symbol('undecided');
  await settle();
  return (await Promise.race([held, Promise.resolve(undecided)])) === undecided;
}

async function whole(body: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

test('a stream is held for its first event: comments and parts of one are none', async () => {
  const { body, held, clock } = holding(200, stream);
  for (const part of [': ping\n\n', 'data: {"cho', 'ices":[]}\n']) {
    body.write(part);
    expect(await isHeld(held)).toBe(true);
  }
  body.write('\n');
  const { answer, status, says } = await held;
  expect([status, says, clock.sleeping]).toEqual([200, '', 0]);
  body.end('data: [DONE]\n\n');
  expect(await whole(answer.body)).toBe(': ping\n\ndata: {"choices":[]}\n\ndata: [DONE]\n\n');
});

test('a plain answer is held for its first byte', async () => {
  const { body, held } = holding(200, json);
  expect(await isHeld(held)).toBe(true);
  body.write('{');
  const { answer } = await held;
  body.end('}');
  expect(await whole(answer.body)).toBe('{}');
});

test('an empty answer is no failure', async () => {
  const { body, held } = holding(204, json);
  body.end();
  expect(await whole((await held).answer.body)).toBe('');
});

test('an error is held until all of it is there, and read', async () => {
  const { body, held } = holding(500, json);
  body.write('{"error":');
  expect(await isHeld(held)).toBe(true);
  body.end('"x"}');
  const { answer, says } = await held;
  expect([says, await whole(answer.body)]).toEqual(['{"error":"x"}', '{"error":"x"}']);
});

test('an error that takes longer than a second to be told is judged by its status', async () => {
  const { body, held, clock } = holding(503, json);
  body.write('{"error":');
  await clock.advance(999);
  expect(await isHeld(held)).toBe(true);
  await clock.advance(1);
  const { answer, status, isWhole } = await held;
  expect([status, isWhole]).toEqual([503, false]);
  body.end('"x"}');
  expect(await whole(answer.body)).toBe('{"error":"x"}');
});

test('so is one that comes as the first event', async () => {
  const { body, held, clock } = holding(200, stream);
  await clock.advance(5_000);
  body.write('data: {"error":{"code":503}}\n\n');
  expect(await isHeld(held)).toBe(true);
  await clock.advance(1_000);
  expect(await held).toMatchObject({ status: 503, isWhole: false });
});

test('an error as the first event gives the status it carries, and is read to its end', async () => {
  const { body, held } = holding(200, stream);
  body.write('data: {"error":{"code":503,"message":"full"}}\n\n');
  expect(await isHeld(held)).toBe(true);
  body.end('data: [DONE]\n\n');
  const { status, says, answer } = await held;
  expect([status, answer.status, says === (await whole(answer.body))]).toEqual([503, 200, true]);
});

test('an error behind an event is none of its business', async () => {
  const { body, held } = holding(200, stream);
  body.write(`${textEvent('a')}data: {"error":{"code":503}}\n\n`);
  expect((await held).status).toBe(200);
});

test('when the time is up it goes on from where it stands', async () => {
  const { body, held, clock } = holding(200, stream);
  body.write(': ping\n\ndata: {"ch');
  await clock.advance(9_999);
  expect(await isHeld(held)).toBe(true);
  await clock.advance(1);
  const { answer, status } = await held;
  body.end('oices":[]}\n\n');
  expect([status, await whole(answer.body)]).toEqual([200, ': ping\n\ndata: {"choices":[]}\n\n']);
});

test('with no time nothing is held', async () => {
  const { body, held } = holding(500, json, 0);
  expect((await held).answer.body).toBe(body);
});

test('more than 64 KiB are not held, whatever they are', async () => {
  for (const [status, header] of [
    [200, stream],
    [500, json],
  ] as const) {
    const { body, held } = holding(status, header);
    body.write('x'.repeat(70_000));
    const { answer } = await held;
    body.end('y');
    expect((await whole(answer.body)).length).toBe(70_001);
  }
});

test('a compressed stream is held for its first byte: nobody on the way can read it', async () => {
  const clock = new ManualClock();
  const body = new PassThrough();
  const headers = [stream, ['content-encoding', 'gzip'] as const];
  const held = holdAnswer({ status: 200, headers, body }, { clock, headAfterMs: 10_000 });
  body.end(gzipSync('data: {"error":{"code":503}}\n\n'));
  expect((await held).status).toBe(200);
});

test.each([
  ['breaks off', (body: PassThrough) => void body.destroy(new Error('reset'))],
  ['is closed', (body: PassThrough) => void body.destroy()],
  ['ends a stream without an event', (body: PassThrough) => void body.end()],
])('an engine that %s meanwhile has died, and no timer is left', async (_how, end) => {
  const { body, held, clock } = holding(200, stream);
  end(body);
  await expect(held).rejects.toMatchObject({ stage: 'died' });
  expect(clock.sleeping).toBe(0);
});
