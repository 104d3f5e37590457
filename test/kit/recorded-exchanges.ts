import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One answer of a real llama-server, as kept in test/fixtures/engine-apis (INDEX.md there). */
export interface Recorded {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** As sent, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export const RECORDINGS = join(import.meta.dirname, '../fixtures/engine-apis');

/** The text files: request line, status line and headers, empty line, body with its chunks joined. */
export function recordedTexts(): readonly Recorded[] {
  return readdirSync(RECORDINGS)
    .filter((file) => file.endsWith('.txt'))
    .flatMap((file) => {
      const bytes = readFileSync(join(RECORDINGS, file));
      const headEnd = bytes.indexOf('\n\n');
      const [request = '', status = '', ...headers] = bytes.subarray(0, headEnd).toString().split('\n');
      const [, method, path] = /^> ([A-Z]+) (\/\S*)/.exec(request) ?? [];
      const code = /^HTTP\/1\.1 (\d{3})/.exec(status)?.[1];
      if (method === undefined || path === undefined || code === undefined) return [];
      const pairs = headers.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon), line.slice(colon + 1).trim()] as const;
      });
      return [
        { name: file, method, path, status: Number(code), headers: pairs, body: bytes.subarray(headEnd + 2) },
      ];
    });
}

interface Exchange {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The exchanges that were not streamed; their JSON bodies are written anew. */
export function recordedExchanges(): readonly Recorded[] {
  const text = readFileSync(join(RECORDINGS, 'llamacpp-exchanges.json'), 'utf8');
  return (JSON.parse(text) as readonly Exchange[]).map(({ headers, body, ...rest }) => ({
    ...rest,
    headers: Object.entries(headers),
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  }));
}
