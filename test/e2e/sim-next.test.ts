import { expect, test } from 'vitest';

import { commands } from '../../src/cli/commands.ts';
import { runCli } from '../../src/cli/run-cli.ts';
import { profileOf } from '../../src/engines/index.ts';
import { simKinds } from '../../src/sim/sim-kinds.ts';
import { fakeIo } from '../kit/fake-io.ts';
import { eventually } from './fleet.ts';

/** What `penstock sim` prints, while the engine runs. */
async function withSim(kind: string, use: (printed: string) => Promise<void>): Promise<void> {
  let interrupt = (_signal: string): void => undefined;
  const interrupted = new Promise<string>((done) => {
    interrupt = done;
  });
  const { io, written } = fakeIo({ interrupted });
  const sim = runCli(['sim', '--kind', kind, '--port', '0'], { commands, version: '0', io });
  try {
    await eventually(() => expect(written.out).toContain(' serve '));
    await use(written.out);
  } finally {
    interrupt('SIGINT');
    await sim;
  }
}

/** Runs doctor, which looks with the code of serve, on what was printed for serve. */
async function foundBy(printed: string): Promise<unknown> {
  const [, text = ''] = printed.split(/^Next.*\n/m);
  const [, file = 'none'] = /--config (\S+)/.exec(text) ?? [];
  const { io, written } = fakeIo({ files: { [file]: text.replace(/^.* serve .*$/m, '') } });
  const [, argv = ''] = / serve (.+)$/m.exec(text) ?? [];
  await runCli(['doctor', ...argv.split(' '), '--json'], { commands, version: '0', io });
  expect(written.err).toBe('');
  return (JSON.parse(written.out) as { engines: readonly unknown[] }).engines[0];
}

test.each([...simKinds.keys()])(
  'what sim prints for %s makes its kind known and its page read',
  async (kind) => {
    await withSim(kind, async (printed) => {
      const contract = profileOf(kind)?.metrics === undefined ? /^none$/ : /^(complete|partial)$/;
      expect(await foundBy(printed)).toMatchObject({ kind, contract: expect.stringMatching(contract) });
    });
  },
);
