import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { type Random, seededRandom } from '../../src/kit/random.ts';
import { chunkBytes, lastChunk, streamHead } from '../kit/fake-engine.ts';
import { ask, begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { RECORDINGS, type Recorded, recordedExchanges, recordedTexts } from '../kit/recorded-exchanges.ts';
import { streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

/** In pieces of 1 to 40 bytes, wherever that falls. */
function cutOddly(bytes: Buffer, random: Random): readonly Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.byteLength; ) {
    const size = 1 + Math.floor(random() * 40);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

/** Cuts both the HTTP chunks and the writes, so that neither falls on an event or on the other. */
async function replay(recorded: Recorded, socket: Socket, random: Random): Promise<void> {
  const framed = recorded.headers.some(([name]) => name.toLowerCase() === 'transfer-encoding');
  const kept = recorded.headers.filter(([name]) => name.toLowerCase() !== 'content-length');
  // Paths inside bodies were shortened after the recording, so their length is counted anew.
  const headers = framed ? kept : [...kept, ['Content-Length', String(recorded.body.byteLength)] as const];
  const head = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const body = framed
    ? Buffer.concat([...cutOddly(recorded.body, random).map(chunkBytes), Buffer.from(lastChunk)])
    : recorded.body;
  const wire = Buffer.concat([Buffer.from(`HTTP/1.1 ${recorded.status} Recorded\r\n${head}\r\n`), body]);
  for (const piece of cutOddly(wire, random)) {
    if (socket.destroyed) return;
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (recorded.headers.some(([name, value]) => name === 'Connection' && value === 'close')) socket.end();
}

// The list of models is the gateway's own: a POST there never reaches an engine.
const answers = [...recordedTexts(), ...recordedExchanges()].filter(
  ({ method, path }) => method === 'POST' && path.startsWith('/v1/') && path !== '/v1/models',
);

test('there are recordings of streams, errors, loading and a full pool', () => {
  const names = answers.map(({ name }) => name);
  for (const part of ['chat-stream', 'err-', 'loading-', 'stream-error-kv-full', 'key-', 'router-']) {
    expect([part, names.some((name) => name.includes(part))]).toEqual([part, true]);
  }
  expect(answers.length).toBeGreaterThan(70);
});

test.each(answers.map((recorded) => [recorded.name, recorded] as const))(
  '%s comes through byte for byte with its status',
  async (_name, recorded) => {
    const random = seededRandom(1);
    const engine = await engineThat((_request, socket) => replay(recorded, socket, random));
    const gateway = await gatewayTo([{ name: 'llama', url: engine.url, models: ['tiny'] }]);
    for (let cut = 0; cut < 3; cut += 1) {
      const asked = await ask(gateway.url + recorded.path, { body: { ...streamBody, model: 'tiny' } });
      if (recorded.status === 401) {
        // The engine's word about our key is not the client's to read.
        expect([asked.status, asked.headers['x-penstock-error']]).toEqual([502, 'engine_auth']);
      } else {
        expect(asked.body.equals(recorded.body)).toBe(true);
        expect(asked.status).toBe(recorded.status);
        expect(asked.headers['content-type']).toBe(
          recorded.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1],
        );
      }
    }
    await until('all is settled', () => gateway.inFlight() === 0 && gateway.meter.open() === 0);
  },
);

test.each(['one-stream', 'stream-and-queued'])(
  'a server that is told to stop (%s) ends in an error event and no [DONE]',
  async (name) => {
    // Recorded with its chunk sizes, from the middle of a chunk on.
    const text = readFileSync(join(RECORDINGS, `llamacpp-sigterm-${name}.txt`), 'utf8');
    const events = [...text.matchAll(/^[0-9a-f]+\n((?:data: [^\n]*|:)\n\n?)\n/gm)].map(
      ([, event]) => event ?? '',
    );
    expect(events.length).toBeGreaterThan(1);
    expect(events.at(-1)).toContain(':');
    const engine = await engineThat((_request, socket) => {
      socket.write(Buffer.concat([Buffer.from(streamHead), ...events.map(chunkBytes)]), () =>
        socket.destroy(),
      );
    });
    const gateway = await gatewayTo([{ name: 'llama', url: engine.url, models: ['tiny'] }]);
    const request = begin(`${gateway.url}/v1/chat/completions`, { body: { ...streamBody, model: 'tiny' } });
    const { text: seen, whole } = await readToTheEnd(await headOf(request));
    expect(whole).toBe(false);
    expect(seen.startsWith(events.join(''))).toBe(true);
    expect(seen.slice(events.join('').length)).toMatch(/^data: \{"error":\{.*"engine_broke_stream"\}\}\n\n$/);
  },
);
