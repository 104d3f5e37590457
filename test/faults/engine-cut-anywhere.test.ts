import type { ClientRequest } from 'node:http';
import { expect, test } from 'vitest';

import { chatStream, jsonAnswer, textEvent } from '../kit/fake-engine.ts';
import { begin, headOf, readToTheEnd, until } from '../kit/http-client.ts';
import { chatBody, chatPath, streamBody, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();
const stream = chatStream(['Hé', ' you']);
const plain = jsonAnswer({ choices: [], usage: { prompt_tokens: 1 } });

/** The engine's answer ends after `cut` bytes, for every `cut` there is. */
async function cutEverywhere(
  wire: Buffer,
  body: object,
  check: (cut: number, seen: Seen) => void,
): Promise<void> {
  let cut = 0;
  const engine = await engineThat((_request, socket) => {
    if (cut === 0) socket.destroy();
    else socket.write(wire.subarray(0, cut), () => socket.destroy());
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (; cut <= wire.byteLength; cut += 1) {
    check(cut, await seenBy(begin(gateway.url + chatPath, { body })));
    await until('it is told', () => gateway.meter.finished.length === cut + 1);
    expect([cut, gateway.inFlight(), gateway.meter.open()]).toEqual([cut, 0, 0]);
  }
  await until('nothing stays open', () => engine.connections() === 0);
  expect(gateway.meter.left()).toBe(0);
}

interface Seen {
  /** 0: the connection was cut before a head. */
  readonly status: number;
  readonly text: string;
  readonly whole: boolean;
}

async function seenBy(request: ClientRequest): Promise<Seen> {
  try {
    const response = await headOf(request);
    return { status: response.statusCode ?? 0, ...(await readToTheEnd(response)) };
  } catch {
    return { status: 0, text: '', whole: false };
  }
}

test('a stream that breaks after any number of bytes ends in an error answer or one error event', async () => {
  const text = stream.wire.toString('latin1');
  // Up to the end of the first event nothing has gone to the client.
  const head = text.indexOf('\n\n', text.indexOf('data: ')) + 2;
  const done = text.indexOf('[DONE]\n\n') + '[DONE]\n\n'.length;
  await cutEverywhere(stream.wire, streamBody, (cut, { status, text, whole }) => {
    if (cut < head) {
      expect([cut, status, whole]).toEqual([cut, 502, true]);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'engine_failed' } });
    } else if (cut >= done) {
      // Nothing is missing, so how the connection ends is no matter.
      expect([cut, whole, text]).toEqual([cut, true, stream.body]);
    } else {
      expect([cut, status, whole]).toEqual([cut, 200, false]);
      const events = text.split('\n\n').slice(0, -1);
      const last = events.pop() ?? '';
      expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
        error: { code: 'engine_broke_stream' },
      });
      expect(stream.body.startsWith(events.map((event) => `${event}\n\n`).join(''))).toBe(true);
    }
  });
});

test('a plain answer that breaks after any number of bytes is an error answer or a cut connection', async () => {
  const head = plain.indexOf('\r\n\r\n') + 4;
  const body = plain.subarray(head).toString();
  await cutEverywhere(plain, chatBody, (cut, { status, text, whole }) => {
    // A head goes out with the first byte of its body.
    if (cut <= head) expect([cut, status, whole]).toEqual([cut, 502, true]);
    else {
      expect([cut, status, whole]).toEqual([cut, 200, cut === plain.byteLength]);
      expect(body.startsWith(text)).toBe(true);
    }
  });
});

test('a client that leaves after any number of events leaves nothing behind', async () => {
  const words = ['a', 'b', 'c', 'd', 'e', 'f'];
  const engine = await engineThat((_request, socket) => {
    const { wire } = chatStream(words);
    // Everything but the end: the engine would go on for ever.
    socket.write(wire.subarray(0, wire.indexOf(textEvent('f'))));
  });
  const gateway = await gatewayTo([{ name: 'a', url: engine.url }]);
  for (let events = 0; events <= words.length; events += 1) {
    const request = begin(gateway.url + chatPath, { body: streamBody });
    const response = await headOf(request);
    let text = '';
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.split('\n\n').length > events) request.destroy();
    });
    if (events === 0) request.destroy();
    await until('it is told', () => gateway.meter.finished.length === events + 1);
    await until('the engine is rid of it', () => engine.connections() === 0);
    expect([events, gateway.inFlight(), gateway.meter.left()]).toEqual([events, 0, events + 1]);
  }
});
