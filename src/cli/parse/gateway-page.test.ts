import { expect, test } from 'vitest';

import { fakeIo } from '../../../test/kit/fake-io.ts';
import { useAnswers } from '../../../test/kit/use-answers.ts';
import { startApp } from '../../app.ts';
import { resolveConfig } from '../../config/resolve.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { seededRandom } from '../../kit/random.ts';
import { runCli } from '../run-cli.ts';
import { parse } from './parse.ts';

const engine = useAnswers();

const vllm = {
  '/health': '',
  '/version': '{"version":"0.26.0"}',
  '/v1/models': '{"data":[{"id":"llama","owned_by":"vllm"}]}',
  '/metrics': 'vllm:num_requests_running 1\nvllm:num_requests_waiting 0\n',
};

async function parsed(...argv: string[]): Promise<string> {
  const { io, written } = fakeIo();
  expect(await runCli(['parse', ...argv], { commands: [parse], version: '0', io })).toBe(0);
  return written.out;
}

test('of a page of Penstock itself the engines are listed and nothing is added up', async () => {
  const engines = [
    { url: await engine(vllm), name: 'one', kind: 'vllm' },
    { url: await engine(vllm), name: 'two', kind: 'vllm' },
  ];
  const io = { env: {}, readFile: () => Promise.reject(new Error('none')) };
  const config = await resolveConfig({ engines, listen: { port: 0 } }, { name: 'test' }, io);
  const random = seededRandom(1);
  const app = await startApp(config, { clock: systemClock, random, log: silentLog, version: '0' });
  try {
    const text = await parsed(`${app.url}/metrics`);
    expect(text.replace(/\s+/g, ' ')).toContain(
      "This is a Penstock gateway's page: look at /engines/NAME/metrics for the figures",
    );
    expect(text).toContain('    /engines/one/metrics  vllm\n    /engines/two/metrics  vllm\n');
    expect(text).not.toMatch(/^Figures|^Missing/m);
    expect(JSON.parse(await parsed(`${app.url}/metrics`, '--json'))).toMatchObject({
      kind: 'penstock',
      engines: [
        { name: 'one', kind: 'vllm' },
        { name: 'two', kind: 'vllm' },
      ],
      signals: {},
      missing: [],
    });
    expect(await parsed(`${app.url}/metrics`, '--kind', 'vllm')).toMatch(/^Figures/m);
    const own = JSON.parse(await parsed(`${app.url}/engines/one/metrics`, '--json'));
    expect(own).toMatchObject({ kind: 'vllm', signals: { 'vllm:num_requests_running': 1 } });
    expect(own).not.toHaveProperty('engines');
  } finally {
    await app.stop();
  }
});
