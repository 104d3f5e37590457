import { expect, test } from 'vitest';
import { vllm } from '../engines/vllm.ts';
import { NO_LIMITS } from '../exposition/page-limits.ts';
import { pageReader, readPage } from './apply.ts';

test('a page that names more ranks than any engine has is malformed, and shown by the first of them', () => {
  const lines = Array.from({ length: 5_000 }, (_, at) => `vllm:num_requests_running{engine="${at}"} 1\n`);
  const page = { bytes: new TextEncoder().encode(lines.join('')), format: 'text-0.0.4' } as const;
  const read = readPage(pageReader(vllm), page, false, NO_LIMITS);
  expect(read).toMatchObject({
    contract: 'malformed',
    problem: 'the page names 5000 ranks; no engine has more than 4096',
    signals: { running: 5_000 },
  });
  expect('signals' in read ? read.signals.ranks.length : 0).toBe(4_096);
});
