import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';

import { unreadIsDropped } from './process-io.ts';
import { penstockVersion } from './version.ts';

const ROOT = join(import.meta.dirname, '../..');

const children: ChildProcess[] = [];
afterEach(() => {
  // Only what a failed test has left.
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** The real program in a process of its own. */
function penstock(...argv: string[]) {
  const main = join(import.meta.dirname, 'main.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...argv], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
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

test('a demo whose reader has enough ends by itself', async () => {
  const main = join(import.meta.dirname, 'main.ts');
  const line = '"$0" --import tsx "$1" demo --no-load --listen 127.0.0.1:0 | head -2';
  const child = spawn('sh', ['-c', line, process.execPath, main], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect([out, err, code]).toEqual([
    expect.stringMatching(/^Penstock is at http:\S+, in front of\n\n$/),
    '',
    0,
  ]);
});

/** Resolves with what the first group of the pattern finds in a stream. */
async function found(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += String(chunk);
    const match = pattern.exec(text)?.[1];
    if (match !== undefined) return match;
  }
  throw new Error(`nothing in the output fits ${pattern}: ${text}`);
}

test('serve routes to a simulated engine, and SIGTERM ends both well', async () => {
  const sim = penstock('sim', '--kind', 'vllm', '--model', 'tiny', '--port', '0', '--speed', '50');
  const simUrl = await found(sim.stdout, /is at (http:\S+)/);
  const serve = penstock('serve', '--engine', simUrl, '--listen', '127.0.0.1:0');
  const serveError = text(serve.stderr);
  const url = await found(serve.stdout, /is at (http:\S+)/);
  expect((await fetch(`${url}/ready`)).status).toBe(200);
  await expect
    .poll(async () => (await fetch(`${url}/v1/models`)).text(), { timeout: 10_000 })
    .toContain('"tiny"');
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', max_tokens: 3, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  expect([answer.status, answer.headers.get('x-penstock-engine')]).toEqual([
    200,
    simUrl.replace('http://', '').replace(':', '-'),
  ]);
  await answer.text();

  for (const child of [serve, sim]) {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  }
  expect(await serveError).toContain('SIGTERM: answers that run may end');
});

test.each([
  ['serve', '--engine', 'http://127.0.0.1:1', '--listen', '127.0.0.1:0'],
  ['sim', '--kind', 'vllm', '--port', '0'],
])('%s goes on when nobody reads what it prints any more', async (...argv) => {
  const child = penstock(...argv);
  child.stderr.destroy();
  const url = await found(child.stdout, /is at (http:[^\s,]+)/);
  child.stdout.destroy();
  // Each is a line in the log, or a complaint that there is none.
  for (const path of ['/v1/completions', '/v1/chat/completions', '/v1/embeddings']) {
    const answer = await fetch(url + path, { method: 'POST', body: '{"model":"nobody\'s"}' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    await answer.text();
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('serve ends when it is told to, though nobody takes its log', async () => {
  const serve = penstock('serve', '--engine', 'http://127.0.0.1:1', '--listen', '127.0.0.1:0');
  const url = await found(serve.stdout, /is at (http:\S+)/);
  // What pipe and reader hold together is less than this.
  for (let round = 0; round < 40; round += 1) {
    const asked = Array.from({ length: 25 }, () =>
      fetch(`${url}/v1/completions`, { method: 'POST', body: `{"model":"${'x'.repeat(200)}"}` }),
    );
    for (const answer of await Promise.all(asked)) await answer.text();
  }
  serve.kill('SIGTERM');
  expect(await once(serve, 'exit')).toEqual([0, null]);
});

test('what nobody takes of a log is dropped before it fills the memory', () => {
  const taken: string[] = [];
  const stuck = new Writable({
    write(chunk, _encoding, _done) {
      taken.push(String(chunk));
    },
  });
  const write = unreadIsDropped(stuck);
  for (let line = 0; line < 10_000; line += 1) write('x'.repeat(1_000));
  expect(stuck.writableLength).toBeLessThan(1_100_000);
  expect(taken).toEqual(['x'.repeat(1_000)]);
});

test('a second signal does not wait for an answer that runs', async () => {
  const sim = penstock('sim', '--kind', 'vllm', '--model', 'tiny', '--port', '0', '--speed', '0.01');
  const simUrl = await found(sim.stdout, /is at (http:\S+)/);
  const serve = penstock('serve', '--engine', simUrl, '--listen', '127.0.0.1:0');
  serve.stderr.resume();
  const url = await found(serve.stdout, /is at (http:\S+)/);
  await expect
    .poll(async () => (await fetch(`${url}/v1/models`)).text(), { timeout: 10_000 })
    .toContain('"tiny"');
  const asked = fetch(`${url}/v1/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tiny', max_tokens: 5_000, prompt: 'Hello' }),
  }).then(
    () => 'answered',
    () => 'cut off',
  );
  await expect
    .poll(async () => (await fetch(`${simUrl}/metrics`)).text(), { timeout: 10_000 })
    .toMatch(/^vllm:num_requests_running\{.*\} 1/m);
  serve.kill('SIGTERM');
  await expect
    .poll(() =>
      fetch(`${url}/ready`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed');
  serve.kill('SIGTERM');
  const [code] = await once(serve, 'exit');
  expect([code, await asked]).toEqual([143, 'cut off']);
});

test('demo is up with engines of five kinds before it says what to try, and Ctrl-C ends it all', async () => {
  const demo = penstock('demo', '--listen', '127.0.0.1:0');
  const complaints = text(demo.stderr);
  const printed: string[] = [];
  demo.stdout.on('data', (chunk) => printed.push(String(chunk)));
  const url = await found(demo.stdout, /curl -s (http:\S+)\/api\/choices/);
  const page = await (await fetch(`${url}/metrics/prometheus`)).text();
  const running = page.split('\n').filter((line) => line.startsWith('vllm:num_requests_running{'));
  for (const kind of ['vllm', 'sglang', 'llama-cpp', 'trtllm', 'strata']) {
    expect(printed.join('')).toMatch(new RegExp(`^  ${kind} +http`, 'm'));
    expect(running.join('\n')).toContain(`kind="${kind}"`);
  }
  demo.kill('SIGINT');
  const [code] = await once(demo, 'exit');
  expect([code, await complaints]).toEqual([0, '']);
});

test.each(['/dev/zero', ROOT])('what is no file and has no end is not read: parse %s', async (path) => {
  const child = penstock('parse', path);
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect([err, code]).toEqual([
    expect.stringMatching(/^penstock: cannot read .*: it is a (device|folder)\n$/),
    2,
  ]);
});
