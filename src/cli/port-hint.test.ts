import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';

import { fakeIo } from '../../test/kit/fake-io.ts';
import { ExitCode } from './command.ts';
import { commands } from './commands.ts';
import { runCli } from './run-cli.ts';

async function call(...argv: string[]) {
  const { io, written } = fakeIo();
  const code = await runCli(argv, { commands, version: '0', io });
  return { code, ...written };
}

test.each([
  ['sim', '--port', (port: number) => ['sim', '--kind', 'vllm', '--port', String(port)]],
  [
    'serve',
    '--listen',
    (port: number) => ['serve', '--engine', 'http://127.0.0.1:1', '--listen', String(port)],
  ],
  ['demo', '--listen', (port: number) => ['demo', '--listen', String(port)]],
])('a port that is in use has %s name its own option', async (_, option, argv) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  const { code, err } = await call(...argv(port));
  taken.close();
  expect(code).toBe(ExitCode.failed);
  expect(err).toContain(`port ${port} on 127.0.0.1 is in use; choose another with ${option}`);
});

test('the demo stays on this machine, and names no option that it does not have', async () => {
  const { code, out, err } = await call('demo', '--listen', '0.0.0.0:0');
  expect([code, out]).toEqual([ExitCode.usage, '']);
  expect(err).toMatch(/^penstock: --listen: "0\.0\.0\.0" can be reached from other machines/);
  expect(err).not.toContain('insecure');
});
