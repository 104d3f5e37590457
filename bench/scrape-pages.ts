/**
 * The engines of bench/scrape.ts, in a process of their own: one server, every engine a path below `/e/`, each with a
 * prebuilt page of about 100 kB as vLLM with some ranks serves it. Every other one sends it in chunks, as uvicorn does.
 * Prints its address.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { emptyReading } from '../src/engines/empty-reading.ts';
import { vllm } from '../src/engines/vllm.ts';
import { pageOf } from '../src/engines/write.ts';
import { writeText } from '../src/exposition/write-text.ts';

const PAGE_BYTES = 100_000;

const page = pageOfSize(PAGE_BYTES);
const models = Buffer.from('{"data":[{"id":"example/model-8b","owned_by":"vllm"}]}');

const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = '' }, response) => {
  const [body, type] = url.endsWith('/metrics')
    ? [page, 'text/plain; version=0.0.4; charset=utf-8']
    : url.endsWith('/v1/models')
      ? [models, 'application/json']
      : [Buffer.from('{"version":"0.26.0"}'), 'application/json'];
  if (/[13579]\/metrics$/.test(url)) {
    response.writeHead(200, { 'content-type': type }).write(body);
    response.end();
  } else response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}`, pageBytes: page.length })}\n`);
});

/** As many ranks as fill the size. */
function pageOfSize(bytes: number): Buffer {
  let best = Buffer.alloc(0);
  for (let count = 1; best.length < bytes; count += 1) {
    const ranks = Array.from({ length: count }, (_, rank) => String(rank));
    const reading = emptyReading(vllm, { modelName: 'example/model-8b', ranks });
    best = Buffer.from(writeText(pageOf(vllm, reading)));
  }
  return best;
}
