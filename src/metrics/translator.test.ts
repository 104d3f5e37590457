import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { collectingLog } from '../../test/kit/collecting-log.ts';
import { fixture } from '../../test/kit/fixture.ts';
import { ManualClock } from '../../test/kit/manual-clock.ts';
import { profileOf } from '../engines/index.ts';
import { pageChunks, type Rendered, renderPage } from './rendered-page.ts';
import type { RawPage, TranslatedEngine } from './translate.ts';
import { TranslateThread } from './translate-thread.ts';
import { Translator } from './translator.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function engine(kind: string, name = 'gpu-0'): TranslatedEngine {
  const profile = profileOf(kind);
  if (profile === undefined) throw new Error(`no kind ${kind}`);
  return { name, runtime: 'r', profile, models: [] };
}

function page(file = 'synthetic-vllm-v1-2026-dp4.prom'): RawPage {
  return { bytes: fixture('engine-metrics', file), format: 'text-0.0.4' };
}

function text(rendered: Rendered): string {
  if ('malformed' in rendered) throw new Error(rendered.malformed);
  return Buffer.concat([...pageChunks(rendered.families, 'text-0.0.4')]).toString();
}

/** Hands every page to a thread, and counts what is started. */
function threaded(startThread = () => new TranslateThread()) {
  const threads: TranslateThread[] = [];
  const clock = new ManualClock();
  const log = collectingLog();
  const start = (): TranslateThread => {
    const thread = startThread();
    threads.push(thread);
    return thread;
  };
  const translator = new Translator({ clock, log, startThread: start }, { largeBytes: 0, waitBytes: 0 });
  ends.push(() => translator.stop());
  return { translator, threads, clock, log };
}

test.each([
  ['vllm', 'synthetic-vllm-v1-2026-dp4.prom'],
  ['sglang', 'synthetic-sglang-0.5-tp2-dp2.prom'],
  ['trtllm', 'synthetic-trtllm-1.3-iter-stats.prom'],
  ['strata', 'synthetic-strata-vllm-form.prom'],
  ['llama-cpp', 'llamacpp-v0.4.0-80fb11a-metrics-6-concurrent.prom'],
])('a thread translates a page of %s as it is translated without', async (kind, file) => {
  const { translator, threads } = threaded();
  const here = text(renderPage(page(file), engine(kind)));
  expect(text(await translator.render(page(file), engine(kind)))).toBe(here);
  expect(here.length).toBeGreaterThan(100);
  expect(threads.length).toBe(1);
});

test('one thread serves many pages at once, of several kinds, and answers each its own', async () => {
  const { translator, threads } = threaded();
  const names = Array.from({ length: 12 }, (_, at) => `gpu-${at}`);
  const all = await Promise.all(
    names.map((name, at) =>
      at % 2 === 0
        ? translator.render(page(), engine('vllm', name))
        : translator.render(page('synthetic-sglang-0.5-tp2-dp2.prom'), engine('sglang', name)),
    ),
  );
  for (const [at, rendered] of all.entries()) expect(text(rendered)).toContain(`engine_name="gpu-${at}"`);
  expect(threads.length).toBe(1);
});

test('small pages need no thread', async () => {
  const { threads, clock, log } = threaded();
  const translator = new Translator({
    clock,
    log,
    startThread: () => {
      throw new Error('not needed');
    },
  });
  await translator.render(page('synthetic-vllm-v1-2026-core.prom'), engine('vllm'));
  expect([threads.length, log.lines.length]).toEqual([0, 0]);
});

test('a page that is not very large does not wait for the thread to start, and begins its start', async () => {
  const { clock, log } = threaded();
  let handed = 0;
  class Counted extends TranslateThread {
    override render(...job: Parameters<TranslateThread['render']>): ReturnType<TranslateThread['render']> {
      handed += 1;
      return super.render(...job);
    }
  }
  const thread = new Counted();
  const translator = new Translator({ clock, log, startThread: () => thread });
  ends.push(() => translator.stop());
  expect(text(await translator.render(page(), engine('vllm')))).toContain('vllm:');
  expect([handed, thread.ready]).toEqual([0, false]);
  while (!thread.ready) await new Promise((resolve) => setImmediate(resolve));
  await translator.render(page(), engine('vllm'));
  expect([handed, log.lines.length]).toEqual([1, 0]);
});

test('the same bytes are translated once, however often and by however many they are asked for', async () => {
  const { translator } = threaded();
  const kept = page();
  const of = engine('vllm');
  const [one, other] = await Promise.all([translator.render(kept, of), translator.render(kept, { ...of })]);
  expect(other).toBe(one);
  expect(await translator.render(kept, of)).toBe(one);
  expect(await translator.render(page(), of)).not.toBe(one);
  // Another model list gives series other names.
  expect(await translator.render(kept, { ...of, models: [] })).not.toBe(one);
});

test('while a page is translated, newer ones of its engine do not queue up behind it', async () => {
  const { translator } = threaded();
  const of = engine('vllm');
  const first = translator.render(page(), of);
  const newer = page();
  const [one, two, other] = await Promise.all([
    first,
    translator.render(newer, of),
    translator.render(page(), { ...of, name: 'gpu-1' }),
  ]);
  expect(two).toBe(one);
  expect(other).not.toBe(one);
  expect(await translator.render(newer, of)).not.toBe(one);
});

test('a malformed page is an answer with its place, also from the thread', async () => {
  const { translator, log } = threaded();
  const bytes = new TextEncoder().encode('a 1\nb -nan\n');
  const rendered = await translator.render({ bytes, format: 'text-0.0.4' }, engine('vllm'));
  expect(rendered).toMatchObject({ malformed: expect.stringMatching(/^line 2, column \d+: /) });
  expect(log.lines).toEqual([]);
});

test('a thread that dies in the middle: pages come all the same, one line says so, a new one starts after a while', async () => {
  const { translator, threads, clock, log } = threaded();
  await translator.render(page(), engine('vllm'));
  const waiting = Array.from({ length: 5 }, () => translator.render(page(), engine('vllm')));
  await threads[0]?.stop();
  for (const rendered of await Promise.all(waiting)) expect(text(rendered)).toContain('vllm:');
  await translator.render(page(), engine('vllm'));
  expect(threads.length).toBe(1);
  expect(log.lines).toMatchObject([
    { level: 'warn', message: 'large metrics pages are translated beside the streams' },
  ]);
  await clock.advance(60_000);
  await translator.render(page(), engine('vllm'));
  expect(threads.length).toBe(2);
});

test('a thread that cannot start is said once and pages come all the same', async () => {
  const { translator, log } = threaded(() => {
    throw new Error('no more threads');
  });
  for (const _ of [1, 2]) expect(text(await translator.render(page(), engine('vllm')))).toContain('vllm:');
  expect(log.lines).toMatchObject([{ fields: { reason: 'no more threads' } }]);
});

test('stop ends the thread, and what is asked for after it starts no other', async () => {
  const { translator, threads, log } = threaded();
  await translator.render(page(), engine('vllm'));
  await translator.stop();
  expect(threads[0]?.alive).toBe(false);
  await translator.render(page(), engine('vllm'));
  expect([threads.length, log.lines.length]).toEqual([1, 0]);
});

test('a thread without work does not keep a process alive', async () => {
  const script = `
    import { TranslateThread } from ${JSON.stringify(join(import.meta.dirname, 'translate-thread.ts'))};
    import { profileOf } from ${JSON.stringify(join(import.meta.dirname, '../engines/index.ts'))};
    const page = { bytes: Buffer.from('vllm:num_requests_running 1'), format: 'text-0.0.4' };
    const engine = { name: 'e', runtime: 'r', profile: profileOf('vllm'), models: [] };
    const { families } = await new TranslateThread().render(page, engine);
    console.log(families.length);
  `;
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: 15_000 };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', script],
    options,
  );
  expect(stdout).toBe('1\n');
});
