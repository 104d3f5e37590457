import { afterEach } from 'vitest';

import { type FakeEngine, type Script, startFakeEngine } from './fake-engine.ts';
import {
  startTestGateway,
  type TestEngine,
  type TestGateway,
  type TestGatewayOptions,
} from './test-gateway.ts';

export interface GatewayBench {
  engineThat(script: Script): Promise<FakeEngine>;
  gatewayTo(engines: readonly TestEngine[], options?: TestGatewayOptions): Promise<TestGateway>;
}

/** Call at the top of a test file: what a test starts is stopped after it, the gateway before its engines. */
export function useGateway(): GatewayBench {
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).reverse()) await stop();
  });
  return {
    async engineThat(script) {
      const engine = await startFakeEngine(script);
      stops.push(engine.stop);
      return engine;
    },
    async gatewayTo(engines, options) {
      const gateway = await startTestGateway(engines, options);
      stops.push(gateway.stop);
      return gateway;
    },
  };
}

export const chatPath = '/v1/chat/completions';
export const chatBody = { model: 'm', messages: [{ role: 'user', content: 'hi' }] } as const;
export const streamBody = { ...chatBody, stream: true } as const;
