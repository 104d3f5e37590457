import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';

import { heldBytes } from '../../test/kit/held-bytes.ts';
import { readBody } from './read-body.ts';

test('a body in chunks of one byte takes about what it weighs while it comes', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
  const [request] = (await once(server, 'request')) as [IncomingMessage];
  const body = readBody(request, 1_000_000, new AbortController().signal);
  const before = heldBytes();

  const piece = Buffer.from('1\r\n \r\n'.repeat(10_000));
  for (let sent = 0; sent < 100; sent += 1) {
    if (!client.write(piece)) await once(client, 'drain');
  }
  client.write('0\r\n\r\n');
  await new Promise<void>((resolve) => {
    request.prependOnceListener('end', resolve);
  });
  // A buffer for each byte is 250 MB.
  expect(heldBytes() - before).toBeLessThan(100_000_000);
  expect((await body).byteLength).toBe(1_000_000);

  client.destroy();
  server.close();
});
