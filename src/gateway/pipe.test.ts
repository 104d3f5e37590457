import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';

import { type PipeOptions, pipeAnswer } from './pipe.ts';

const options: PipeOptions = {
  read: (chunk) => chunk.byteLength,
  isOver: () => false,
  isEventStream: true,
};

async function said(client: PassThrough): Promise<string> {
  const chunks: Buffer[] = [];
  client.on('data', (chunk: Buffer) => chunks.push(chunk));
  await new Promise((resolve) => client.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

test('an engine that broke off before anybody listened is one that broke off', async () => {
  const engine = new PassThrough();
  engine.on('error', () => {});
  engine.destroy(new Error('reset'));
  await new Promise((resolve) => engine.once('close', resolve));
  const client = new PassThrough();
  const text = said(client);
  const piped = await pipeAnswer(engine, client, options);
  expect(piped).toMatchObject({ outcome: 'engine-broke', bytes: 0, cause: new Error('reset') });
  expect(await text).toContain('engine_broke_stream');
});

test('an answer that stands still, since it was held, goes on', async () => {
  const engine = new PassThrough();
  engine.pause();
  engine.end('held');
  const client = new PassThrough();
  const text = said(client);
  expect(await pipeAnswer(engine, client, options)).toMatchObject({ outcome: 'complete', bytes: 4 });
  expect(await text).toBe('held');
});

test('an event in a hundred thousand pieces goes out in one', async () => {
  const engine = new PassThrough();
  const client = new PassThrough();
  let written = 0;
  client.on('data', () => {
    written += 1;
  });
  let seen = 0;
  const read = (chunk: Uint8Array): number => {
    seen += chunk.byteLength;
    return seen === 100_000 ? chunk.byteLength : 0;
  };
  const piped = pipeAnswer(engine, client, { ...options, read });
  for (let at = 0; at < 100_000; at += 1) engine.write('x');
  engine.end();
  expect(await piped).toMatchObject({ outcome: 'complete', bytes: 100_000 });
  // The last piece ends it, and is a write of its own.
  expect(written).toBeLessThanOrEqual(3);
});

test('when all has passed, a connection that breaks is no break', async () => {
  const engine = new PassThrough();
  const client = new PassThrough();
  const text = said(client);
  const piped = pipeAnswer(engine, client, { ...options, isOver: () => true });
  engine.write('data: [DONE]\n\n');
  await new Promise((resolve) => setImmediate(resolve));
  engine.destroy(new Error('reset'));
  expect((await piped).outcome).toBe('complete');
  expect(await text).toBe('data: [DONE]\n\n');
});
