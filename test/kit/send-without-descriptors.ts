import { openSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { UndiciUpstream } from '../../src/gateway/upstream-undici.ts';

/*
 * Run as a program of its own, with a low `ulimit -n`: sends a request to the address in its first argument, takes all
 * descriptors that are left, sends another, and writes how each one went.
 */

const url = process.argv[2] ?? '';
const upstream = new UndiciUpstream();

async function sent(): Promise<string> {
  try {
    const { status, body } = await upstream.send({
      url,
      method: 'POST',
      headers: [],
      body: Buffer.from('{}'),
      signal: new AbortController().signal,
      fresh: true,
    });
    await text(body);
    return String(status);
  } catch (error) {
    return String((error as { readonly stage?: unknown }).stage);
  }
}

const before = await sent();
for (;;) {
  try {
    openSync('/dev/null', 'r');
  } catch {
    break;
  }
}
const without = await sent();
const listens = await upstream.listens(url);
process.stdout.write(JSON.stringify({ before, without, listens }), () => process.exit(0));
