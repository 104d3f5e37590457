import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

export interface Answered {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type Answers = Readonly<Record<string, Answered | string>>;

/**
 * Call at the top of a test file: gives what starts a server that answers these paths and `elsewhere` (404 with an
 * empty object) all others. What a test starts is stopped after it.
 */
export function useAnswers(): (answers: Answers, elsewhere?: Answered) => Promise<string> {
  const servers: Server[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    }
  });
  return async (answers, elsewhere = { status: 404, body: '{}' }) => {
    const server = createServer((request, response) => {
      const found = answers[request.url ?? ''] ?? elsewhere;
      const { status = 200, headers = {}, body = '' } = typeof found === 'string' ? { body: found } : found;
      const type = body.startsWith('{') ? 'application/json' : 'text/plain; version=0.0.4';
      response.writeHead(status, { 'content-type': type, ...headers }).end(body);
    });
    servers.push(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
}
