import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

export type Headers = Readonly<Record<string, string>>;

/** An answer on its way. `write` resolves when the client can take more, and does nothing once it has left. */
export interface Answer {
  head(status: number, headers: Headers): void;
  write(text: string): Promise<void>;
  end(text?: string): void;
  /** Ends the connection without an end of the body. */
  cut(): void;
}

/** HTTP/1.1 as Node speaks it; only the headers named are sent, beside Date and what frames the body. */
export function http11Answer(response: ServerResponse): Answer {
  return {
    head(status, headers) {
      // No engine here sends it; keep-alive is what HTTP/1.1 means without it.
      response.removeHeader('connection');
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    async write(text) {
      if (response.destroyed || response.write(text)) return;
      await drained(response);
    },
    end(text) {
      response.end(text);
    },
    cut() {
      response.destroy();
    },
  };
}

/** HTTP/1.0 as Python's http.server speaks it: written by hand, for Node always says 1.1. The body ends with the connection. */
export function http10Answer(response: ServerResponse): Answer {
  const { socket } = response;
  return {
    head(status, headers) {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket?.write(`HTTP/1.0 ${status} ${REASONS[status] ?? 'Unknown'}\r\n${lines.join('')}\r\n`);
    },
    async write(text) {
      if (socket === null || socket.destroyed || socket.write(text)) return;
      await drained(socket);
    },
    end(text) {
      if (text === undefined) socket?.end();
      else socket?.end(text);
    },
    cut() {
      socket?.destroy();
    },
  };
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  501: 'Unsupported method',
  503: 'Service Unavailable',
};

async function drained(stream: NodeJS.EventEmitter): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]).finally(() =>
    settled.abort(),
  );
}
