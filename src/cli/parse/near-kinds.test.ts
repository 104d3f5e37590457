import { expect, test } from 'vitest';

import { profiles } from '../../engines/index.ts';
import { nearKinds } from './near-kinds.ts';

const page = (names: readonly string[]) => names.map((name) => ({ name, labels: {}, value: 1 }));

test('a name that is a kind’s but for what stands before it is told with the name it is like', () => {
  const [nearest] = nearKinds(page(['my_num_requests_running', 'my_num_requests_waiting']), profiles);
  expect(nearest?.alike).toContainEqual(
    expect.objectContaining({ found: 'my_num_requests_running', like: 'vllm:num_requests_running' }),
  );
});

test('100,000 names of nobody are looked at within the time of a test', () => {
  expect(nearKinds(page(Array.from({ length: 100_000 }, (_, at) => `weird_name_${at}`)), profiles)).toEqual(
    [],
  );
});
