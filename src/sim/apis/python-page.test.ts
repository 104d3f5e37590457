import { afterAll, expect, test } from 'vitest';

import { CHAT, HELLO, post, SimServers } from '../../../test/kit/sim-servers.ts';
import { profileOf } from '../../engines/index.ts';
import { readSignals } from '../../engines/signals.ts';
import { formatOf, parseExposition } from '../../exposition/parse.ts';

const servers = new SimServers();
afterAll(() => servers.stop());

test.each(['vllm', 'sglang', 'trtllm'])(
  '%s says the same in OpenMetrics to who asks for it',
  async (kind) => {
    const { url } = await servers.start({ kind });
    await (await post(`${url}${CHAT}`, { ...HELLO, max_tokens: 20 })).text();
    const profile = profileOf(kind);
    if (profile?.metrics === undefined) throw new Error(`${kind} has no metrics`);
    const read = async (accept: string) => {
      const response = await fetch(`${url}${profile.metrics?.path}`, { headers: { accept } });
      const format = formatOf(response.headers.get('content-type') ?? '');
      const bytes = new Uint8Array(await response.arrayBuffer());
      return { format, signals: readSignals(profile, parseExposition(bytes, format).samples) };
    };
    const text = await read('text/plain; version=0.0.4');
    const open = await read('application/openmetrics-text; version=1.0.0, text/plain;q=0.5');
    expect([text.format, open.format]).toEqual(['text-0.0.4', 'openmetrics-1.0.0']);
    expect(open.signals).toEqual(text.signals);
    expect(open.signals.generationTokens).toBe(20);
    expect((await read('*/*')).format).toBe('text-0.0.4');
  },
);
