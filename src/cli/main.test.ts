import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

import { penstockVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The real program in a process of its own. */
function penstock(...argv: string[]) {
  const main = join(import.meta.dirname, 'main.ts');
  return spawn(process.execPath, ['--import', 'tsx', main, ...argv], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

test('the program says its version and ends well', async () => {
  const child = penstock('--version');
  const [out, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect([out, code]).toEqual([`penstock ${penstockVersion()}\n`, 0]);
});

test('wrong use ends with code 2, its reason on standard error and nothing on standard output', async () => {
  const child = penstock('serve', '--engine', 'gpu');
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect([out, err, code]).toEqual([
    '',
    'penstock: --engine: found "gpu"; expected a URL such as http://127.0.0.1:8000\n',
    2,
  ]);
});

test('a reader that goes away before anything was written is no error', async () => {
  const child = penstock('--help');
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([err, code]).toEqual(['', 0]);
});
