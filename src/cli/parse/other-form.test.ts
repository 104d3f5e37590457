import { expect, test } from 'vitest';
import { fakeIo } from '../../../test/kit/fake-io.ts';
import { fixture } from '../../../test/kit/fixture.ts';
import { runCli } from '../run-cli.ts';
import { parse } from './parse.ts';

async function parsed(file: string, ...argv: string[]) {
  const { io, written } = fakeIo({ files: { [file]: fixture('engine-metrics', file) } });
  const code = await runCli(['parse', file, '--json', ...argv], { commands: [parse], version: '0', io });
  return {
    code,
    ...(JSON.parse(written.out) as { verdict: string; kind: string; signals: Record<string, unknown> }),
  };
}

test.each([
  [
    'strata',
    'synthetic-strata-metrics.json',
    { 'vllm:num_requests_running': 1, 'vllm:num_requests_waiting': 2 },
  ],
  ['mlc-llm', 'synthetic-mlc-llm.txt', { 'vllm:prompt_tokens_total': 5120 }],
])('a page of %s that is no text is read as a scrape of its kind reads it', async (kind, file, signals) => {
  expect(await parsed(file, '--kind', kind)).toMatchObject({ code: 0, verdict: 'valid', kind, signals });
});

test('without its kind such a page is what it is: no page', async () => {
  expect(await parsed('synthetic-strata-metrics.json')).toMatchObject({ code: 1, verdict: 'invalid' });
});

const TRTLLM = JSON.stringify([
  {
    iter: 1,
    numActiveRequests: 3,
    numQueuedRequests: 1,
    kvCacheStats: { usedNumBlocks: 1, maxNumBlocks: 4 },
  },
]);

test.each([
  ['strata', fixture('engine-metrics', 'synthetic-strata-metrics.json')],
  ['mlc-llm', fixture('engine-metrics', 'synthetic-mlc-llm.txt')],
  ['trtllm-json', TRTLLM],
])('without its kind a page of %s is refused, and names the way in', async (kind, page) => {
  const { io, written } = fakeIo({ files: { page } });
  const code = await runCli(['parse', 'page'], { commands: [parse], version: '0', io });
  expect(code).toBe(1);
  expect(written.out.replace(/\s+/g, ' ')).toContain(`own form, which Penstock reads: add --kind ${kind}.`);
});

test.each(['{"error":{"message":"no"}}', '{"live":{"queued":1}}', 'a\t1\nb{c=d}\tx\n', '[]'])(
  'what only is JSON or has tabs is of no kind: %j',
  async (page) => {
    const { io, written } = fakeIo({ files: { page } });
    await runCli(['parse', 'page'], { commands: [parse], version: '0', io });
    expect(written.out).not.toContain('--kind');
  },
);
