import { expect, test } from 'vitest';

import { deadUrl } from '../../test/kit/fake-engine.ts';
import { ask } from '../../test/kit/http-client.ts';
import { chatBody, chatPath, useGateway } from '../../test/kit/use-gateway.ts';

const { gatewayTo } = useGateway();

test('a refusal counts under the model that was asked for, by the engine’s own name', async () => {
  const gateway = await gatewayTo([{ name: 'a', url: await deadUrl(), models: ['org/m'] }], {
    aliases: { short: 'org/m', promised: 'org/not-there' },
  });
  const countedAs = async (model: string): Promise<unknown> => {
    const { status } = await ask(gateway.url + chatPath, { body: { ...chatBody, model } });
    return [status, gateway.meter.finished.at(-1)?.modelName];
  };
  expect(await countedAs('org/m')).toEqual([502, 'org/m']);
  const engine = gateway.fleet.get('a');
  for (let miss = 0; miss < 3; miss += 1) engine?.reportMiss('refused', 'it is gone');
  expect(await countedAs('org/m')).toEqual([503, 'org/m']);
  expect(await countedAs('short')).toEqual([503, 'org/m']);
  expect(await countedAs('promised')).toEqual([404, 'org/not-there']);
  expect(await countedAs('invented')).toEqual([404, 'other']);
  expect(await countedAs('constructor')).toEqual([404, 'other']);
});
