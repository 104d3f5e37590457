import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

import { UpstreamFailure } from '../../src/gateway/upstream.ts';
import { UndiciUpstream } from '../../src/gateway/upstream-undici.ts';
import { jsonAnswer } from '../kit/fake-engine.ts';
import { ask } from '../kit/http-client.ts';
import { inOrder } from '../kit/test-gateway.ts';
import { chatBody, chatPath, useGateway } from '../kit/use-gateway.ts';

const { engineThat, gatewayTo } = useGateway();

/** A real one that finds no descriptor for connections to engine a. */
class Exhausted extends UndiciUpstream {
  readonly #url: string;

  constructor(url: string) {
    super();
    this.#url = url;
  }

  override send(request: Parameters<UndiciUpstream['send']>[0]): ReturnType<UndiciUpstream['send']> {
    if (!request.url.startsWith(this.#url)) return super.send(request);
    return Promise.reject(new UpstreamFailure('own-limit', 'connect EMFILE', new Error('connect EMFILE')));
  }
}

async function twoEngines() {
  const answers = () => engineThat((_request, socket) => void socket.write(jsonAnswer({ choices: [] })));
  return [
    { name: 'a', url: (await answers()).url },
    { name: 'b', url: (await answers()).url },
  ] as const;
}

test('when this process has no connection left it says so, and no engine is blamed', async () => {
  const [a] = await twoEngines();
  const gateway = await gatewayTo([a], { upstream: new Exhausted(a.url) });
  for (let at = 0; at < 5; at += 1) {
    const asked = await ask(gateway.url + chatPath, { body: chatBody });
    expect([asked.status, asked.headers['x-penstock-error'], asked.headers['retry-after']]).toEqual([
      503,
      'gateway_exhausted',
      '1',
    ]);
  }
  expect(gateway.fleet.get('a')?.view()).toMatchObject({ health: 'up', breaker: 'closed', inFlight: 0 });
  expect(gateway.fleet.get('a')?.contact.missesInARow).toBe(0);
  expect([...(gateway.fleet.get('a')?.faults ?? [])]).toEqual([]);
  const line = gateway.lines.find(({ level, message }) => level === 'error' && message === 'request');
  expect(line?.fields).toMatchObject({
    code: 'gateway_exhausted',
    reason: expect.stringContaining('EMFILE'),
  });
});

test('another engine, to which there may be an open connection, is tried', async () => {
  const [a, b] = await twoEngines();
  const gateway = await gatewayTo([a, b], { policy: inOrder, upstream: new Exhausted(a.url) });
  const asked = await ask(gateway.url + chatPath, { body: chatBody });
  expect([asked.status, asked.headers['x-penstock-engine']]).toEqual([200, 'b']);
  expect(gateway.meter.retries).toEqual(['own_limit']);
});

test.skipIf(process.platform === 'win32')(
  'a process without descriptors knows that it is its own fault',
  async () => {
    const engine = await engineThat((_request, socket) => void socket.write(jsonAnswer({ choices: [] })));
    const program = join(import.meta.dirname, '../kit/send-without-descriptors.ts');
    const command = 'ulimit -n 128 && exec "$0" --import tsx "$@"';
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command,
      process.execPath,
      program,
      engine.url,
    ]);
    // Whether somebody listens cannot be told from there, so nobody is declared dead.
    expect(JSON.parse(stdout)).toEqual({ before: '200', without: 'own-limit', listens: true });
  },
);
