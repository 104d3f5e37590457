import { expect, test } from 'vitest';
import type { FakeReply } from '../../test/kit/fake-http.ts';
import { type Replies, watchedEngine } from '../../test/kit/watched-engine.ts';
import { HttpFailure } from '../kit/http.ts';

const page = 'vllm:num_requests_running 0\nvllm:num_requests_waiting 0\n';
const vllm = (over: Replies = {}): Replies => ({
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"m","owned_by":"vllm"}]}',
  '/metrics': page,
  ...over,
});

test.each<[what: string, reply: FakeReply | HttpFailure]>([
  ['an error', { status: 500 }],
  ['a page for people', { body: '<html></html>' }],
  ['a refusal', new HttpFailure('refused', 'connect ECONNREFUSED')],
  ['a page that is too large', new HttpFailure('too-large', 'more than 16 MiB')],
  ['a page with a label that is too long', { body: `vllm:x{a="${'x'.repeat(20_000)}"} 1\n` }],
])('what stands in the query of a metrics address is said nowhere: %s', async (_, reply) => {
  const known = vllm();
  const { clock, engine, log, scraper } = await watchedEngine(
    ({ path }) => {
      if (path.startsWith('/m?')) return reply;
      const body = known[path];
      return typeof body === 'string' ? { body } : { status: 404 };
    },
    { metrics: 'http://gpu:9000/m?token=SECRET&team=1' },
  );
  await clock.advance(5_000);
  await scraper.stop();
  expect(engine.pageReason).toContain('GET http://gpu:9000/m?…');
  expect(JSON.stringify([engine.contact, engine.problem, engine.pageReason, log.lines])).not.toContain(
    'SECRET',
  );
});

const LONG = 'x'.repeat(100_000);

test.each<[what: string, over: Replies]>([
  ['a version', { '/version': JSON.stringify({ version: LONG }) }],
  ['a model', { '/v1/models': JSON.stringify({ data: [{ id: LONG, owned_by: 'vllm' }] }) }],
  ['what it says while it loads', { '/health': { status: 503, body: `{"message":"Loading ${LONG}"}` } }],
  [
    'a name on its page that makes it a guess',
    { '/version': { status: 404 }, '/v1/models': { status: 404 }, '/metrics': `vllm:${LONG} 1\n${page}` },
  ],
  ['a name that Prometheus would refuse', { '/metrics': `${page}${LONG}-a 1\n` }],
  ['a header', { '/health': { status: 404, headers: { [`x-penstock-${LONG}`]: 'a' } } }],
])('what an engine wrote is not told at any length: %s', async (_, over) => {
  const { clock, engine, log, scraper } = await watchedEngine(vllm(over));
  await clock.advance(1_000);
  await scraper.stop();
  const { identity, problem, pageReason, contact } = engine;
  const said = [identity?.version, identity?.reason, problem, pageReason, contact.reason];
  for (const text of said) expect((text ?? '').length).toBeLessThan(500);
  for (const line of log.lines) expect(JSON.stringify(line).length).toBeLessThan(2_000);
});
